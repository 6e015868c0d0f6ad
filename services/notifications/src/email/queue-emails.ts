import { currentTraceparent } from '@atrium/service-kit/observability/tracing';
import { insertOnce } from '../store/insert-once.ts';
import type { Store } from '../store/store.ts';
import type { EmailContent } from './email-content.ts';
import { sendTimes, type Topic } from './send-times.ts';
import { happenedBeforeRestore, suppressedEmail } from './suppress-email.ts';

export type Recipient = { id: string; name: string; firstName: string; address: string; timezone: string };

export type Mailing = {
  /** Event id, followed by a colon and the group of recipients if one event has several emails. */
  id: string;
  /** Kind of the published outcome. */
  kind: string;
  about: string;
  requestId: string;
  /** Time of the event: emails about events before a restore are suppressed. */
  occurredAt: string;
  topic?: Topic;
  content: EmailContent;
  replyTo?: string;
  calendar?: { method: 'REQUEST' | 'CANCEL'; text: string };
  recipients: readonly Recipient[];
};

const queued = { state: 'queued', report: 'none', settledAt: null, lastError: null } as const;

/** Queues one email per recipient. Idempotent. */
export async function queueEmails(store: Store, mailing: Mailing): Promise<void> {
  if (mailing.recipients.length === 0) return;
  const now = new Date();
  const isSuppressed = await happenedBeforeRestore(store, mailing.occurredAt);
  const traceparent = currentTraceparent();
  const sendAt = await sendTimes(store, mailing, now);
  const { topic } = mailing;
  // Content first: every email in the outbox must have its content.
  await insertOnce(store.mailings, [
    {
      _id: mailing.id,
      content: mailing.content,
      replyTo: mailing.replyTo ?? null,
      calendarMethod: mailing.calendar?.method ?? null,
      calendar: mailing.calendar?.text ?? null,
      createdAt: now,
    },
  ]);
  await insertOnce(
    store.emails,
    mailing.recipients.map(({ id, ...to }) => ({
      _id: `${mailing.id}:${id}`,
      mailingId: mailing.id,
      kind: mailing.kind,
      about: mailing.about,
      requestId: mailing.requestId,
      ...(traceparent !== undefined && { traceparent }),
      ...(topic && { topic: topic.id, part: topic.part ?? '', occurredAt: new Date(mailing.occurredAt) }),
      recipientId: id,
      ...to,
      ...(isSuppressed ? suppressedEmail(now) : queued),
      attempts: 0,
      nextAttemptAt: sendAt(id),
      createdAt: now,
    })),
  );
}
