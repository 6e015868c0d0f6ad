import type { Conversation } from '@atrium/proto-events/http/chat/conversations';
import { SendHorizontal } from 'lucide-react';
import { type ClipboardEvent, type KeyboardEvent, type ReactNode, Suspense, useEffect, useRef, useState } from 'react';
import { styled } from 'styled-components';
import { conversationName } from '#entities/conversation/conversation.ts';
import { isComposing } from '#lib/forms/is-composing.ts';
import { hasModifier } from '#lib/has-modifier.ts';
import { lazyNamed, loadChunk } from '#lib/lazy.ts';
import { useCurrentUser } from '#lib/session/session.ts';
import { Button } from '#ui/button.tsx';
import { Inline } from '#ui/layout/primitives.ts';
import { theme } from '#ui/theme.ts';
import { chooseFiles } from '../files/attachment-drafts.ts';
import { MissingAccess } from '../files/missing-access.tsx';
import { SendLater } from '../later/send-later.tsx';
import { logIdOf } from '../log/log-id.ts';
import { useCompletion } from '../mentions/use-completion.tsx';
import { useNotifyConfirmation } from '../mentions/use-notify-confirmation.tsx';
import { UndoSend } from '../sending/undo-send.tsx';
import { CharacterCount } from '../text/message-text.tsx';
import { AutoSizeTextArea } from './auto-size-textarea.tsx';
import { ComposerActions } from './composer-actions.tsx';
import { FieldActions, FieldBox, UndoPlace } from './composer-layout.ts';
import type { FieldTools } from './composer-tools.tsx';
import { UnreachableUsers } from './unreachable-users.tsx';
import { useComposer } from './use-composer.ts';

const ComposerTools = lazyNamed(() => import('./composer-tools.tsx'), 'ComposerTools');
const SelectedFiles = lazyNamed(() => import('./selected-files.tsx'), 'SelectedFiles');

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
  const tools = useRef<FieldTools>(null);
  const [isFormatting, setFormatting] = useState(false);
  const completion = useCompletion({ field, draft, write, conversationId: conversation._id });
  const name = conversationName(conversation, currentUserId);
  const label = thread === undefined ? `Message ${name}` : 'Reply';
  useEffect(() => {
    // A link with a fragment leads to a setting, which takes focus. On touch devices, focusing would open the keyboard.
    if (window.location.hash === '' && window.matchMedia('(hover: hover)').matches)
      field.current?.focus({ preventScroll: true });
  }, []);
  const { submit, confirmation } = useNotifyConfirmation(conversation, content, () => {
    send();
    field.current?.focus();
  });
  const onKeyDown = (event: KeyboardEvent) => {
    if (completion.handleKey(event) || tools.current?.onKeyDown(event)) return;
    if (event.key === 'ArrowUp' && draft.text === '' && files.length === 0)
      void editLatest(event, logId, currentUserId);
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
    if (tools.current?.onPaste(event)) return;
    // Copying from a document puts both text and an image of it on the clipboard.
    if (pasted.length === 0 || event.clipboardData.getData('text/plain')) return;
    event.preventDefault();
    attach([...pasted]);
  };
  return (
    <FieldBox>
      <MissingAccess conversationId={conversation._id} text={content} />
      {files.length > 0 && (
        <Suspense fallback={null}>
          <SelectedFiles conversationId={logId} files={files} errors={fileErrors} />
        </Suspense>
      )}
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
      <FieldActions>
        <ComposerActions
          pollIn={thread === undefined ? conversation._id : null}
          onAttach={attach}
          onEmoji={completion.edits.insert}
          isFormatting={isFormatting}
          onFormatting={setFormatting}
        />
        <Suspense fallback={null}>
          <ComposerTools field={completion.edits} isOpen={isFormatting} tools={tools} />
        </Suspense>
        <Inline $gap={2}>
          <UndoPlace>
            <UndoSend logId={logId} field={field} />
          </UndoPlace>
          <CharacterCount content={content} />
          <SendLater
            conversation={conversation}
            destination={destination}
            content={content}
            hasFiles={files.length > 0}
            isDisabled={!canSend}
          />
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
      </FieldActions>
      {children}
      {/* Stays after the toast that announced the failure. */}
      {returnReason !== '' && <Unsent>Not sent. {returnReason}</Unsent>}
      <UnreachableUsers conversation={conversation} logId={logId} />
      {confirmation}
    </FieldBox>
  );
}

async function editLatest(event: KeyboardEvent, logId: string, currentUserId: string): Promise<void> {
  if (event.shiftKey || hasModifier(event) || isComposing(event)) return;
  event.preventDefault();
  const { editLatestMessage } = await loadChunk(() => import('../sending/edit-latest-message.ts'));
  await editLatestMessage(logId, currentUserId);
}

const Unsent = styled.p`
  padding: ${theme.space[1]} ${theme.space[2]} 0;
  font: ${theme.text.sm};
  color: ${theme.color.danger};
  overflow-wrap: anywhere;
`;
