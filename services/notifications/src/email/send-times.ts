import type { EmailRecord } from '../store/records.ts';
import type { Store } from '../store/store.ts';
import { causeOf } from './email-cause.ts';

/** Delay of the second email about a topic; grows by this factor with each further one. */
const INITIAL_DELAY_MS = 2_000;
const DELAY_FACTOR = 3;
const MAX_DELAY_MS = 5 * 60_000;
/** Older emails do not delay new ones. */
const LOOKBACK_MS = 60 * 60_000;

/**
 * The topic of an email, and the part of it that the email describes completely. Emails to one recipient about one topic are sent with
 * increasing delays, and a later one about the same part replaces a queued one. Urgent emails are not delayed.
 */
export type Topic = { id: string; part?: string; isUrgent?: boolean };

type Pending = { id: string; topic?: Topic; recipients: readonly { id: string }[] };

type Recent = Pick<EmailRecord, 'mailingId' | 'state' | 'attempts' | 'nextAttemptAt' | 'settledAt'>;

/**
 * When each recipient's email is sent: immediately if it is the first about its topic, otherwise after a delay. Emails queued during the
 * delay are sent at the end of it, so a stream of changes cannot postpone them.
 */
export async function sendTimes(
  { emails }: Store,
  mailing: Pending,
  now: Date,
): Promise<(recipientId: string) => Date> {
  const { topic, recipients } = mailing;
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
  return (id) => sendTime(byRecipient.get(id) ?? [], { cause: causeOf(mailing.id), now });
}

export function sendTime(recent: readonly Recent[], { cause, now }: { cause: string; now: Date }): Date {
  const ofSameEvent = recent.find(({ mailingId }) => causeOf(mailingId) === cause);
  if (ofSameEvent) return ofSameEvent.nextAttemptAt;
  const waiting = recent.find(
    ({ state, attempts, nextAttemptAt }) => state === 'queued' && attempts === 0 && nextAttemptAt > now,
  );
  if (waiting) return waiting.nextAttemptAt;
  // Queued emails are sent together or replace one another.
  const left = recent.filter(({ state }) => state !== 'queued').map(({ mailingId }) => causeOf(mailingId));
  const events = new Set(left).size + (left.length < recent.length ? 1 : 0);
  if (events === 0) return now;
  const delay = Math.min(INITIAL_DELAY_MS * DELAY_FACTOR ** (events - 1), MAX_DELAY_MS);
  const latest = Math.max(...recent.map(({ settledAt }) => (settledAt ?? now).getTime()));
  return new Date(Math.max(now.getTime(), latest + delay));
}
