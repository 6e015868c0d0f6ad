import { hasVisibleText } from '@atrium/proto-events/text/normalize';
import type { KeyboardEvent } from 'react';
import { styled } from 'styled-components';
import { useUnsavedChanges } from '#lib/forms/unsaved-changes.tsx';
import { useStoredText } from '#lib/forms/use-stored-text.ts';
import { useIdempotencyKey } from '#lib/hooks/use-idempotency-key.ts';
import { Button } from '#ui/button.tsx';
import { TextArea } from '#ui/fields/text-area.tsx';
import { FormFailure } from '#ui/notice.tsx';
import { useAction } from '#ui/overlays/use-action.ts';
import { theme } from '#ui/theme.ts';
import { useTaskActions } from './use-task-actions.ts';

/** The draft stays in the field and on the device until the server has it; navigation is blocked only while sending. */
export function CommentComposer({ taskId }: { taskId: string }) {
  const place = `task:${taskId}:comment`;
  const [content, setContent] = useStoredText(place);
  const { comment } = useTaskActions();
  const add = useIdempotencyKey(place, (text: string, key: string) => comment(taskId, text, key));
  const isEmpty = !hasVisibleText(content);
  const { run, isBusy, failure } = useAction(async () => {
    await add(content);
    setContent((now) => (now === content ? '' : now));
  }, 'Failed to add comment');
  useUnsavedChanges(isBusy);
  const send = () => void (isEmpty || run());
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    send();
  };
  return (
    <Box onKeyDown={onKeyDown}>
      <TextArea
        label="Comment"
        isLabelHidden
        placeholder="Write a comment"
        rows={2}
        maxLength={5000}
        value={content}
        isReadOnly={isBusy}
        onChange={setContent}
      />
      <FormFailure failure={failure} />
      <Button variant="primary" isBusy={isBusy} isDisabled={isEmpty} onPress={send}>
        Add Comment
      </Button>
    </Box>
  );
}

const Box = styled.div`
  display: grid;
  gap: ${theme.space[2]};
  justify-items: end;
  > :first-child {
    width: 100%;
  }
`;
