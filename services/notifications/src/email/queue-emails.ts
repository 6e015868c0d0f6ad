import { currentTraceparent } from '@atrium/service-kit/observability/tracing';
import { findLastRestore } from '../store/last-restore.ts';
import { type EmailRecord, suppressedEmail } from '../store/records.ts';
import { insertOnce, type Store } from '../store/store.ts';
import type { Recipient } from '../users/find-users.ts';
import type { EmailContent } from './templates/email-content.ts';

export type Mailing = {
  /** Emails about events before a restore are suppressed. */
  event: { id: string; requestId: string; occurredAt: string };
  group?: string;
  kind: string;
  /** Id of the invitation, password reset, user, project, task, or meeting that the email is about. */
  subjectId: string;
  topic?: Topic;
  content: EmailContent;
  replyTo?: string;
  calendar?: { method: 'REQUEST' | 'CANCEL'; text: string };
  recipients: readonly Recipient[];
};

const queuedState = { state: 'queued', report: 'none', settledAt: null, lastError: null } as const;

export async function queueEmails(store: Store, mailing: Mailing): Promise<void> {
  if (mailing.recipients.length === 0) return;
  const { event, group, topic } = mailing;
  const mailingId = group === undefined ? event.id : `${event.id}:${group}`;
  const now = new Date();
  const isSuppressed = await happenedBeforeRestore(store, new Date(event.occurredAt));
  const traceparent = currentTraceparent();
  const getSendAt = await createSendTimes(store, mailing, now);
  // Content first: every queued email must have its content.
  await insertOnce(store.mailings, [
    {
      _id: mailingId,
      content: mailing.content,
      replyTo: mailing.replyTo ?? null,
      calendarMethod: mailing.calendar?.method ?? null,
      calendar: mailing.calendar?.text ?? null,
      createdAt: now,
    },
  ]);
  await insertOnce(
    store.emails,
    mailing.recipients.map(({ id, notBefore = now, ...recipient }) => ({
      _id: `${mailingId}:${id}`,
      mailingId,
      kind: mailing.kind,
      about: mailing.subjectId,
      requestId: event.requestId,
      ...(traceparent !== undefined && { traceparent }),
      ...(topic && { topic: topic.id, part: topic.part ?? '', occurredAt: new Date(event.occurredAt) }),
      recipientId: id,
      ...recipient,
      ...(isSuppressed ? suppressedEmail(now) : queuedState),
      attempts: 0,
      nextAttemptAt: new Date(Math.max(getSendAt(id).getTime(), notBefore.getTime())),
      ...(notBefore > now && { notBefore }),
      createdAt: now,
    })),
  );
}

/** Whether emails about what happened at a time were sent, or are obsolete, because the data were restored since. */
export async function happenedBeforeRestore(store: Store, at: Date): Promise<boolean> {
  const restoredAt = await findLastRestore(store);
  return restoredAt !== undefined && at < restoredAt;
}

/** Delay of the second email about a topic. It grows by `DELAY_FACTOR` with each further email. */
const INITIAL_DELAY_MS = 2_000;
const DELAY_FACTOR = 3;
const MAX_DELAY_MS = 5 * 60_000;
const LOOKBACK_MS = 60 * 60_000;

/**
 * The topic of an email, and the part of it that the email describes completely. Emails to one recipient about one
 * topic are sent with increasing delays, and a later one about the same part replaces a queued one. Urgent emails are
 * not delayed.
 */
type Topic = { id: string; part?: string; isUrgent?: boolean };

type RecentEmail = Pick<EmailRecord, 'mailingId' | 'state' | 'attempts' | 'nextAttemptAt' | 'settledAt'>;

/**
 * Returns when to send each recipient's email: immediately if it is the first about its topic, otherwise after a delay.
 * Emails queued during the delay are sent at the end of it, so a stream of changes cannot postpone them.
 */
async function createSendTimes(
  { emails }: Store,
  { event, topic, recipients }: Mailing,
  now: Date,
): Promise<(recipientId: string) => Date> {
  if (!topic || topic.isUrgent) return () => now;
  const recent = await emails
    .find(
      {
        topic: topic.id,
        recipientId: { $in: recipients.map(({ id }) => id) },
        createdAt: { $gte: new Date(now.getTime() - LOOKBACK_MS) },
        state: { $ne: 'failed' },
      },
      { recipientId: 1, mailingId: 1, state: 1, attempts: 1, nextAttemptAt: 1, settledAt: 1 },
    )
    .lean();
  const byRecipient = Map.groupBy(recent, ({ recipientId }) => recipientId);
  return (id) => getSendTime(byRecipient.get(id) ?? [], { eventId: event.id, now });
}

export function getSendTime(recent: readonly RecentEmail[], { eventId, now }: { eventId: string; now: Date }): Date {
  const sameEventEmail = recent.find(({ mailingId }) => toEventId(mailingId) === eventId);
  if (sameEventEmail) return sameEventEmail.nextAttemptAt;
  const waitingEmail = recent.find(
    ({ state, attempts, nextAttemptAt }) => state === 'queued' && attempts === 0 && nextAttemptAt > now,
  );
  if (waitingEmail) return waitingEmail.nextAttemptAt;
  // Queued emails count as one: they are sent together or replace one another.
  const sentEventIds = recent.filter(({ state }) => state !== 'queued').map(({ mailingId }) => toEventId(mailingId));
  const eventCount = new Set(sentEventIds).size + (sentEventIds.length < recent.length ? 1 : 0);
  if (eventCount === 0) return now;
  const delayMs = Math.min(INITIAL_DELAY_MS * DELAY_FACTOR ** (eventCount - 1), MAX_DELAY_MS);
  const latestTime = Math.max(...recent.map(({ settledAt }) => (settledAt ?? now).getTime()));
  return new Date(Math.max(now.getTime(), latestTime + delayMs));
}

export function toEventId(mailingId: string): string {
  const [eventId = mailingId] = mailingId.split(':', 1);
  return eventId;
}
