import type { sendMessage } from '@atrium/proto-events/http/chat/sending';
import { call } from '#lib/api/api.ts';
import { newUuid } from '#lib/new-uuid.ts';
import { currentUserId } from '#lib/session/session.ts';
import { showSuccess } from '#ui/overlays/toast.ts';
import { type Destination, logIdOf } from '../log/log-id.ts';
import { draftContent, getMessageDraft, saveMessageDraft } from '../sending/drafts.ts';
import { dueTimeText } from './due-times.ts';

/** Schedules the text of the composer, which is empty afterward unless the text was changed meanwhile. */
export async function scheduleDraft(destination: Destination, content: string, at: Date): Promise<void> {
  const owner = currentUserId();
  const logId = logIdOf(destination);
  const { alsoInConversation } = getMessageDraft(owner, logId);
  const sendAt = at.toISOString();
  await call<typeof sendMessage>('POST /chat/messages', {
    body: {
      ...destination,
      content,
      sendAt,
      clientMessageId: newUuid(),
      ...(alsoInConversation && { alsoInConversation }),
    },
  });
  if (draftContent(getMessageDraft(owner, logId)) === content) saveMessageDraft(owner, logId, { text: '' });
  showSuccess('Message scheduled', `It will be sent ${dueTimeText(sendAt)}.`);
}
