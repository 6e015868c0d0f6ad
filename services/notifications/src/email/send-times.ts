import type { MailRecord } from '../store/records.ts';
import type { Store } from '../store/store.ts';
import { causeOf } from './mail-cause.ts';

/** How long the second email about one topic waits after the first; each further one waits longer by this factor. */
const FIRST_DELAY_MS = 2_000;
const DELAY_FACTOR = 3;
const MAX_DELAY_MS = 5 * 60_000;
/** Emails of so long ago delay no others. */
const REMEMBERED_MS = 60 * 60_000;

/**
 * What an email is about, and which part of that it describes in full. To one recipient, emails about one topic leave with growing delays,
 * and a later one about the same part replaces one that waits. An urgent one does not wait.
 */
export type Topic = { id: string; part?: string; isUrgent?: boolean };

type Pending = { id: string; topic?: Topic; recipients: readonly { id: string }[] };

type Recent = Pick<MailRecord, 'mailingId' | 'state' | 'attempts' | 'nextAttemptAt' | 'settledAt'>;

/**
 * When each recipient's email leaves: immediately if it is the first about its topic, else after a delay that grows with every email about
 * it. What is queued during the delay leaves at the end of it, so a stream of changes cannot postpone it.
 */
export async function sendTimes({ mails }: Store, mailing: Pending, now: Date): Promise<(recipientId: string) => Date> {
  const { topic, recipients } = mailing;
  if (!topic || topic.isUrgent) return () => now;
  const recent = await mails
    .find(
      {
        topic: topic.id,
        recipientId: { $in: recipients.map(({ id }) => id) },
        createdAt: { $gte: new Date(now.getTime() - REMEMBERED_MS) },
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
  // Those that are still queued leave together, or replace one another.
  const left = recent.filter(({ state }) => state !== 'queued').map(({ mailingId }) => causeOf(mailingId));
  const events = new Set(left).size + (left.length < recent.length ? 1 : 0);
  if (events === 0) return now;
  const delay = Math.min(FIRST_DELAY_MS * DELAY_FACTOR ** (events - 1), MAX_DELAY_MS);
  const latest = Math.max(...recent.map(({ settledAt }) => (settledAt ?? now).getTime()));
  return new Date(Math.max(now.getTime(), latest + delay));
}
