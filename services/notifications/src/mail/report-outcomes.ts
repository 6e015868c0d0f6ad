import { createHash } from 'node:crypto';
import { subjectOf } from '@atrium/proto-events/event';
import { mailDelivered } from '@atrium/proto-events/events/notifications';
import { aboutAggregate } from '@atrium/service-kit/messaging/aggregate-header';
import { ensureStream, type Messaging } from '@atrium/service-kit/messaging/messaging';
import { crashPoint } from '@atrium/service-kit/process/crash-point';
import type { MailRecord } from '../store/records.ts';
import type { Store } from '../store/store.ts';
import { causeOf } from './queue-mails.ts';

const BATCH = 100;

/**
 * Publishes what became of mails, straight to JetStream, as this store has no outbox: a mail is due until the publication was
 * acknowledged. A repeat has the same id, for JetStream and for every consumer's inbox. Answers whether there may be more.
 */
export async function reportOutcomes(store: Store, messaging: Messaging): Promise<boolean> {
  const due = await store.reach(() => store.mails.find({ report: 'due' }).limit(BATCH).lean());
  if (due.length === 0) return false;
  await ensureStream(messaging, 'notifications');
  for (const mail of due) {
    const event = outcomeEvent(mail);
    await messaging.js.publish(messaging.subject(subjectOf(mailDelivered)), JSON.stringify(event), {
      msgID: event.id,
      headers: aboutAggregate(mail.about),
    });
    crashPoint('after-outcome-before-note');
    await store.reach(() => store.mails.updateOne({ _id: mail._id }, { $set: { report: 'done' } }));
  }
  return due.length === BATCH;
}

function outcomeEvent(mail: MailRecord) {
  return {
    id: createHash('sha256').update(mail._id).digest('hex').slice(0, 24),
    type: mailDelivered.type,
    version: mailDelivered.version,
    occurredAt: (mail.settledAt ?? mail.createdAt).toISOString(),
    actorId: null,
    requestId: mail.requestId,
    data: mailDelivered.data.parse({
      kind: mail.kind,
      about: mail.about,
      outcome: mail.state,
      cause: causeOf(mail.mailingId),
    }),
  };
}
