import { labelsOf } from '#entities/conversation/mention-labels.ts';
import { newUuid } from '#lib/new-uuid.ts';
import { createOwnerCheck, currentUserId } from '#lib/session/session.ts';
import { returnFiles } from '../files/attachment-drafts.ts';
import { logIdOf } from '../log/log-id.ts';
import { logOf } from '../log/message-store.ts';
import { removeMessage } from '../log/write-messages.ts';
import { fromContent, joinLines } from '../text/composed-text.ts';
import { getMessageDraft, isComposerEmpty, saveMessageDraft } from './drafts.ts';
import type { SentMessage } from './sent-messages.ts';

/** Deletes a message that was just sent, and returns its text and files to the composer, before what is there by then. */
export async function retractMessage({ outgoing, message }: SentMessage): Promise<void> {
  const owner = currentUserId();
  const isSameOwner = createOwnerCheck();
  const logId = logIdOf(outgoing.destination);
  const { content, labels } = latestText({ outgoing, message });
  await removeMessage(message);
  if (!isSameOwner()) return;
  const draft = getMessageDraft(owner, logId);
  const { files, alsoInConversation } = outgoing;
  const restored = fromContent(content, labels);
  if (isComposerEmpty(draft)) saveMessageDraft(owner, logId, { ...draft, ...restored, alsoInConversation });
  else if (content !== '') saveMessageDraft(owner, logId, { ...draft, ...joinLines(restored, draft) });
  // It is sent again as another message.
  if (files.length > 0) returnFiles(logId, { clientMessageId: newUuid(), content, files });
}

/** It may have been edited since it was sent. */
function latestText({ outgoing, message }: Pick<SentMessage, 'outgoing' | 'message'>) {
  const known = logOf(logIdOf(outgoing.destination)).messages.find(({ _id }) => _id === message._id);
  if (!known || known.editedAt === null) return outgoing;
  return { content: known.content, labels: labelsOf(known.mentions) };
}
