import type { changeScheduled, ScheduledMessage } from '@atrium/proto-events/http/chat/scheduled';
import type { sendMessage } from '@atrium/proto-events/http/chat/sending';
import { call } from '#lib/api/api.ts';
import { ApiError, isFinal } from '#lib/api/api-error.ts';
import { newUuid } from '#lib/new-uuid.ts';
import { createOwnerCheck, currentUserId } from '#lib/session/session.ts';
import { showErrorToast, showSuccess } from '#ui/overlays/toast.ts';
import { type Destination, logIdOf } from '../log/log-id.ts';
import { draftContent, getMessageDraft, saveMessageDraft } from '../sending/drafts.ts';
import { dueTimeText } from './due-times.ts';

type ScheduleParams = { destination: Destination; content: string; at: Date };

/** Schedules the text of the composer, which is empty afterward unless the text was changed meanwhile. */
export async function scheduleDraft(params: ScheduleParams, failure: string): Promise<void> {
  const owner = currentUserId();
  const isSameOwner = createOwnerCheck();
  const logId = logIdOf(params.destination);
  try {
    const sendAt = await schedule(owner, params);
    if (draftContent(getMessageDraft(owner, logId)) === params.content) saveMessageDraft(owner, logId, { text: '' });
    if (!isSameOwner()) return;
    if (sendAt === undefined) showSuccess('Message sent');
    else showSuccess('Message scheduled', `It will be sent ${dueTimeText(sendAt)}.`);
  } catch (error) {
    if (isSameOwner()) showErrorToast(error, failure);
  }
}

/**
 * Returns when the message will be sent; undefined if it was sent. The draft keeps its id until a response arrives, so
 * that another attempt after a lost response, perhaps with another text or time, changes what the first one scheduled.
 */
async function schedule(owner: string | null, { destination, content, at }: ScheduleParams) {
  const logId = logIdOf(destination);
  const draft = getMessageDraft(owner, logId);
  const { alsoInConversation, schedulingId = newUuid() } = draft;
  const setId = (next: string | undefined) =>
    saveMessageDraft(owner, logId, { ...getMessageDraft(owner, logId), schedulingId: next });
  setId(schedulingId);
  const sendAt = at.toISOString();
  const placement = { ...destination, ...(alsoInConversation && { alsoInConversation }) };
  try {
    // With `sendAt`, the response is a scheduled message, unless an earlier attempt was sent meanwhile.
    const response: object = await call<typeof sendMessage>('POST /chat/messages', {
      body: { ...placement, content, sendAt, clientMessageId: schedulingId },
    });
    const scheduled = isScheduled(response) ? await withChanges(response, { content, sendAt }) : undefined;
    setId(undefined);
    return scheduled?.sendAt;
  } catch (error) {
    // A rejected message was not scheduled, and its id may belong to another one.
    if (isFinal(error) && !(error instanceof ApiError && error.status === 401)) setId(undefined);
    throw error;
  }
}

const isScheduled = (response: object): response is ScheduledMessage => 'sendAt' in response;

async function withChanges(
  scheduled: ScheduledMessage,
  body: { content: string; sendAt: string },
): Promise<ScheduledMessage> {
  const isSame =
    scheduled.content === body.content && new Date(scheduled.sendAt).getTime() === new Date(body.sendAt).getTime();
  if (isSame) return scheduled;
  return call<typeof changeScheduled>('PATCH /chat/scheduled/:id', { params: { id: scheduled._id }, body });
}
