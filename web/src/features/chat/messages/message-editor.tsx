import type { Message } from '@atrium/proto-events/http/chat/messages';
import { countChars } from '@atrium/proto-events/text-length';
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { styled } from 'styled-components';
import { isComposing } from '#lib/forms/is-composing.ts';
import { Button } from '#ui/button.tsx';
import { Inline } from '#ui/layout/primitives.ts';
import { FormFailure } from '#ui/notice.tsx';
import { DiscardConfirmation } from '#ui/overlays/discard-confirmation.tsx';
import { useAction } from '#ui/overlays/use-action.ts';
import { theme } from '#ui/theme.ts';
import { AutoSizeTextArea } from '../composer/auto-size-textarea.tsx';
import { FieldActions, FieldBox } from '../composer/composer-layout.ts';
import { ComposerTools, type FieldTools } from '../composer/composer-tools.tsx';
import { EmojiButton } from '../composer/emoji-button.tsx';
import { saveEdit } from '../log/write-messages.ts';
import { useCompletion } from '../mentions/use-completion.tsx';
import { useEditConfirmation } from '../mentions/use-edit-confirmation.ts';
import { type ComposedText, toContent } from '../text/composed-text.ts';
import { CharacterCount, contentOf, MAX_CHARACTERS } from '../text/message-text.tsx';

type Props = {
  message: Message;
  draft: ComposedText;
  /** True if editing started here; an edit restored from storage does not take focus. */
  isFocused: boolean;
  onWrite: (draft: ComposedText) => void;
  onDone: (saved?: string) => void;
};

export function MessageEditor({ message, draft, isFocused, onWrite, onDone }: Props) {
  const field = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    if (!isFocused) return;
    field.current?.focus();
    field.current?.setSelectionRange(field.current.value.length, field.current.value.length);
  }, [isFocused]);
  const [isConfirming, setConfirming] = useState(false);
  const tools = useRef<FieldTools>(null);
  const completion = useCompletion({ field, draft, write: onWrite, conversationId: message.conversation });
  const content = contentOf(toContent(draft));
  const isEmpty = content === '' && message.attachments.length === 0;
  const isTooLong = countChars(content) > MAX_CHARACTERS;
  const latest = useRef(content);
  const { run, isBusy, failure } = useAction(async () => {
    let saved: string;
    // Repeats if Enter was pressed on a newer text during the request.
    do {
      saved = latest.current;
      await saveEdit(message, saved);
    } while (saved !== latest.current);
    onDone(saved);
  }, 'Failed to edit message');
  const edit = { conversationId: message.conversation, content, before: message.content };
  const { submit, confirmation, isPreparing } = useEditConfirmation(edit, () => {
    latest.current = content;
    void run();
  });
  const save = () => {
    if (isEmpty || isTooLong || isPreparing) return;
    if (content === message.content && !isBusy) return onDone();
    submit();
  };
  const leave = () => (content === message.content ? onDone() : setConfirming(true));
  const stay = () => {
    setConfirming(false);
    field.current?.focus();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (completion.handleKey(event) || tools.current?.onKeyDown(event) || isComposing(event)) return;
    if (event.key === 'Escape') {
      // It neither closes the thread nor marks the conversation as read.
      event.preventDefault();
      leave();
    }
    if (event.key !== 'Enter' || event.shiftKey) return;
    event.preventDefault();
    save();
  };
  return (
    <Box>
      <AutoSizeTextArea
        ref={field}
        {...completion.fieldProps}
        onKeyDown={onKeyDown}
        onPaste={(event) => tools.current?.onPaste(event)}
        aria-label="Edit message"
      />
      {completion.list}
      {confirmation}
      <FormFailure failure={failure} />
      <FieldActions>
        <Add>
          <EmojiButton onPick={completion.edits.insert} />
        </Add>
        <ComposerTools field={completion.edits} isOpen tools={tools} />
        <Inline $gap={2}>
          <CharacterCount content={content} />
          <Button size="sm" variant="ghost" onPress={leave}>
            Cancel
          </Button>
          <Button size="sm" variant="primary" onPress={save} isBusy={isBusy} isDisabled={isEmpty || isTooLong}>
            Save
          </Button>
        </Inline>
      </FieldActions>
      <DiscardConfirmation isOpen={isConfirming} onKeep={stay} onDiscard={() => onDone()} />
    </Box>
  );
}

const Box = styled(FieldBox)`
  margin: ${theme.space[1]} 0;
`;

const Add = styled.div`
  grid-area: add;
`;
