import { newUuid } from '#lib/new-uuid.ts';
import { currentUserId } from '#lib/session/session.ts';
import { hasFiles, returnFiles } from '../files/attachment-drafts.ts';
import { logIdOf } from '../log/log-id.ts';
import { removeMessage } from '../log/write-messages.ts';
import { fromContent } from '../text/composed-text.ts';
import { getMessageDraft, isComposerEmpty, saveMessageDraft } from './drafts.ts';
import type { SentMessage } from './sent-messages.ts';

/** Deletes a message that was just sent, and returns its text and files to the composer if that is empty. */
export async function takeBack({ outgoing, message }: SentMessage): Promise<void> {
  const owner = currentUserId();
  await removeMessage(message);
  const logId = logIdOf(outgoing.destination);
  if (owner !== currentUserId()) return;
  const draft = getMessageDraft(owner, logId);
  if (!isComposerEmpty(draft) || hasFiles(logId)) return;
  const { content, labels, files, alsoInConversation } = outgoing;
  saveMessageDraft(owner, logId, { ...draft, ...fromContent(content, labels), alsoInConversation });
  // It is sent again as another message.
  if (files.length > 0) returnFiles(logId, { clientMessageId: newUuid(), content, files });
}
