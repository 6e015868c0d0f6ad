import { meetingReplied, messageReplied, taskReplied } from '@atrium/proto-events/events/notifications';
import { type Messaging, publishWithoutOutbox } from '@atrium/service-kit/messaging/messaging';
import { type OutboxRow, outboxRow } from '@atrium/service-kit/messaging/outbox';
import type { Logger } from '@atrium/service-kit/observability/logger';
import type { Deps } from '../deps.ts';
import type { ReceivedReplies, TextReply } from './read-reply-email.ts';
import type { IdentifiedRsvp } from './read-rsvps.ts';
import { emailReplyProblem } from './reply-problems.ts';

const NO_TEXT = 'No text was found above the quoted email. Write your reply above it.';
const NO_FILES = 'Only the text of your reply can be posted. To share files and images, upload them in Atrium.';
const ONLY_FILES =
  'No text was found above the quoted email, and files and images can’t be posted by email. Upload them in Atrium.';
/** Calendar apps take the address for that of the organizer. */
const ONLY_RSVPS =
  'The address in your calendar only reads responses to the invitation. To write to the organizer, reply to the invitation.';

type ProcessDeps = Pick<Deps, 'store' | 'directory' | 'queueEmails'> & { messaging: Messaging; log: Logger };

/** Repeating it has no effect. */
export async function processReplies(deps: ProcessDeps, { rsvps, replies }: ReceivedReplies): Promise<void> {
  // An invalid RSVP would be retried forever and block all later emails.
  const valid = rsvps.filter(({ rsvp }) => meetingReplied.data.safeParse(rsvp).success);
  if (valid.length < rsvps.length) deps.log.warn('Skipped invalid RSVP reply');
  for (const rsvp of valid) await publish(deps, toRsvpEvent(rsvp));
  for (const reply of replies) await processTextReply(deps, reply);
  deps.log.info({ rsvps: valid.length, replies: replies.length }, 'Processed reply email');
}

async function processTextReply(deps: ProcessDeps, reply: TextReply): Promise<void> {
  const { id, text, hasAttachments } = reply;
  const { userId, id: itemId } = reply.target;
  const event = text === '' ? undefined : toTextEvent(reply);
  if (event) await publish(deps, event);
  if (event && !hasAttachments) return;
  const isPosted = event !== undefined;
  const reason = isPosted ? NO_FILES : getRejectionReason(reply);
  await deps.store.run(() => emailReplyProblem(deps, { id, userId, itemId, isPosted, reason }));
}

function getRejectionReason({ target, hasAttachments }: TextReply): string {
  if (target.kind === 'calendar') return ONLY_RSVPS;
  return hasAttachments ? ONLY_FILES : NO_TEXT;
}

const publish = ({ messaging }: ProcessDeps, row: OutboxRow) => publishWithoutOutbox(messaging, 'notifications', row);

const toRsvpEvent = ({ id, rsvp }: IdentifiedRsvp) =>
  outboxRow({ event: meetingReplied, data: rsvp, aggregate: rsvp.calendarId, actorId: rsvp.userId, id });

/** Returns undefined if there is nothing that the text could be added to. */
function toTextEvent({ id, text, target }: TextReply): OutboxRow | undefined {
  const { kind, id: itemId, userId } = target;
  if (kind === 'calendar') return undefined;
  const envelope = { aggregate: itemId, actorId: userId, id };
  return kind === 'task'
    ? outboxRow({ ...envelope, event: taskReplied, data: { taskId: itemId, userId, text } })
    : outboxRow({ ...envelope, event: messageReplied, data: { place: kind, placeId: itemId, userId, text } });
}
