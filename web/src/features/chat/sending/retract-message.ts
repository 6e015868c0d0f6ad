import { newUuid } from '#lib/new-uuid.ts';
import { currentUserId } from '#lib/session/session.ts';
import { returnFiles } from '../files/attachment-drafts.ts';
import { logIdOf } from '../log/log-id.ts';
import { removeMessage } from '../log/write-messages.ts';
import { fromContent, joinLines } from '../text/composed-text.ts';
import { getMessageDraft, isComposerEmpty, saveMessageDraft } from './drafts.ts';
import type { SentMessage } from './sent-messages.ts';

/** Deletes a message that was just sent, and returns its text and files to the composer, before what is there by then. */
export async function retractMessage({ outgoing, message }: SentMessage): Promise<void> {
  const owner = currentUserId();
  await removeMessage(message);
  const logId = logIdOf(outgoing.destination);
  if (owner !== currentUserId()) return;
  const draft = getMessageDraft(owner, logId);
  const { content, labels, files, alsoInConversation } = outgoing;
  const restored = fromContent(content, labels);
  if (isComposerEmpty(draft)) saveMessageDraft(owner, logId, { ...draft, ...restored, alsoInConversation });
  else if (content !== '') saveMessageDraft(owner, logId, { ...draft, ...joinLines(restored, draft) });
  // It is sent again as another message.
  if (files.length > 0) returnFiles(logId, { clientMessageId: newUuid(), content, files });
}
