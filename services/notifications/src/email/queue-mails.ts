import { currentTraceparent } from '@atrium/service-kit/observability/tracing';
import { insertOnce } from '../store/insert-once.ts';
import type { Store } from '../store/store.ts';
import type { MailContent } from './mail-content.ts';
import { sendTimes, type Topic } from './send-times.ts';
import { isOfBeforeRestore, suppressedEmail } from './suppress-email.ts';

export type Recipient = { id: string; name: string; firstName: string; address: string; timezone: string };

export type Mailing = {
  /** The id of the event, and behind a colon what it tells whom where one event tells two groups different things. */
  id: string;
  /** What the outcome is published as, with the id of what it is about. */
  kind: string;
  about: string;
  requestId: string;
  /** When the event happened: who was told of it before a restore is not told again. */
  occurredAt: string;
  topic?: Topic;
  content: MailContent;
  replyTo?: string;
  calendar?: { method: 'REQUEST' | 'CANCEL'; text: string };
  recipients: readonly Recipient[];
};

const queued = { state: 'queued', report: 'none', settledAt: null, lastError: null } as const;

/** Puts one mail for each recipient into the outbox. Repeating it changes nothing. */
export async function queueMails(store: Store, mailing: Mailing): Promise<void> {
  if (mailing.recipients.length === 0) return;
  const now = new Date();
  const isHeldBack = await isOfBeforeRestore(store, mailing.occurredAt);
  const traceparent = currentTraceparent();
  const sendAt = await sendTimes(store, mailing, now);
  const { topic } = mailing;
  // The words come first: whoever finds a mail in the outbox finds what it says, too.
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
    store.mails,
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
      ...(isHeldBack ? suppressedEmail(now) : queued),
      attempts: 0,
      nextAttemptAt: sendAt(id),
      createdAt: now,
    })),
  );
}
