import type { Conversation } from '@atrium/proto-events/http/chat';
import { SendHorizontal } from 'lucide-react';
import { type ClipboardEvent, type KeyboardEvent, type ReactNode, useEffect, useRef } from 'react';
import { styled } from 'styled-components';
import { conversationName } from '#entities/conversation/conversation.ts';
import { isComposing } from '#lib/forms/is-composing.ts';
import { useCurrentUser } from '#lib/session/session.ts';
import { Button } from '#ui/button.tsx';
import { Inline } from '#ui/layout/primitives.ts';
import { inlineStyles } from '#ui/mixins.ts';
import { theme } from '#ui/theme.ts';
import { chooseFiles } from '../files/attachment-drafts.ts';
import { MissingAccess } from '../files/missing-access.tsx';
import { logIdOf } from '../log/log-id.ts';
import { UnreachableUsers } from '../mentions/unreachable-users.tsx';
import { useCompletion } from '../mentions/use-completion.tsx';
import { useNotifyConfirmation } from '../mentions/use-notify-confirmation.tsx';
import { AutoSizeTextArea } from './auto-size-textarea.tsx';
import { ComposerActions } from './composer-actions.tsx';
import { CharacterCount } from './message-text.tsx';
import { SelectedFiles } from './selected-files.tsx';
import { useComposer } from './use-composer.ts';

type Props = {
  conversation: Conversation;
  /** The root of the thread to reply in. */
  thread?: string;
  /** Shown below the text. */
  children?: ReactNode;
};

export function Composer({ conversation, thread, children }: Props) {
  const currentUserId = useCurrentUser()._id;
  const destination = { conversation: conversation._id, thread };
  const logId = logIdOf(destination);
  const { draft, content, files, fileErrors, write, send, canSend, isTooLong, returnReason } = useComposer(destination);
  const field = useRef<HTMLTextAreaElement>(null);
  const completion = useCompletion({ field, draft, write, conversationId: conversation._id });
  const name = conversationName(conversation, currentUserId);
  const label = thread === undefined ? `Message ${name}` : 'Reply';
  useEffect(() => {
    // On touch devices focusing would open the keyboard.
    if (window.matchMedia('(hover: hover)').matches) field.current?.focus({ preventScroll: true });
  }, []);
  const { submit, confirmation } = useNotifyConfirmation(conversation, content, () => {
    send();
    field.current?.focus();
  });
  const onKeyDown = (event: KeyboardEvent) => {
    if (completion.handleKey(event)) return;
    if (event.key !== 'Enter' || event.shiftKey || isComposing(event)) return;
    event.preventDefault();
    submit();
  };
  const attach = (chosen: readonly File[]) => {
    if (chosen.length > 0) chooseFiles(logId, chosen);
    field.current?.focus();
  };
  const onPaste = (event: ClipboardEvent) => {
    const { files: pasted } = event.clipboardData;
    // Copying from a document puts both text and an image of it on the clipboard.
    if (pasted.length === 0 || event.clipboardData.getData('text/plain')) return;
    event.preventDefault();
    attach([...pasted]);
  };
  return (
    <Box>
      <MissingAccess conversationId={conversation._id} text={content} />
      <SelectedFiles conversationId={logId} files={files} errors={fileErrors} />
      <AutoSizeTextArea
        ref={field}
        {...completion.fieldProps}
        onKeyDown={onKeyDown}
        onPaste={onPaste}
        aria-label={label}
        placeholder={label}
        aria-invalid={isTooLong || undefined}
        enterKeyHint="send"
      />
      {completion.list}
      <Actions>
        <ComposerActions onAttach={attach} />
        <Inline $gap={3}>
          <CharacterCount content={content} />
          <Button
            variant="primary"
            size="sm"
            icon={<SendHorizontal />}
            onPress={submit}
            isDisabled={!canSend}
            preventFocusOnPress
          >
            Send
          </Button>
        </Inline>
      </Actions>
      {children}
      {/* Stays after the toast that announced the failure. */}
      {returnReason !== '' && <Unsent>Not sent. {returnReason}</Unsent>}
      <UnreachableUsers conversation={conversation} logId={logId} />
      {confirmation}
    </Box>
  );
}

const Box = styled.div`
  padding: 3px 5px 5px;
  border: 1px solid ${theme.color.line};
  border-radius: ${theme.radius.lg};
  background: ${theme.color.surface};
  box-shadow: ${theme.shadow.low};
  transition: border-color ${theme.motion.fast};
  &:focus-within {
    border-color: ${theme.color.accent};
    box-shadow: 0 0 0 1px ${theme.color.accent};
  }
`;

const Actions = styled.div`
  ${inlineStyles(2)}
  justify-content: space-between;
`;

const Unsent = styled.p`
  padding: ${theme.space[1]} ${theme.space[2]} 0;
  font: ${theme.text.sm};
  color: ${theme.color.danger};
  overflow-wrap: anywhere;
`;
