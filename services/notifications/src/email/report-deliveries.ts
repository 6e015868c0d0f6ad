import { emailDelivered } from '@atrium/proto-events/events/notifications';
import type { Messaging } from '@atrium/service-kit/messaging/messaging';
import { type OutboxRow, outboxRow } from '@atrium/service-kit/messaging/outbox';
import { publishWithoutOutbox } from '@atrium/service-kit/messaging/publish-without-outbox';
import { crashPoint } from '@atrium/service-kit/process/crash-point';
import { deterministicId } from '@atrium/service-kit/process/new-id';
import type { EmailRecord } from '../store/records.ts';
import type { Store } from '../store/store.ts';
import { causeOf } from './email-cause.ts';

const BATCH_SIZE = 100;

/**
 * Publishes outcomes directly to JetStream, because the store has no outbox: an email is due until the publication is acknowledged.
 * Repeats have the same event id. Returns whether there may be more.
 */
export async function publishOutcomes(store: Store, messaging: Messaging): Promise<boolean> {
  const due = await store.reach(() => store.emails.find({ report: 'due' }).limit(BATCH_SIZE).lean());
  if (due.length === 0) return false;
  for (const email of due) {
    await publishWithoutOutbox(messaging, 'notifications', outcomeEvent(email));
    crashPoint('after-outcome-before-note');
    // A later attempt may have ended in the meantime, and its outcome is due as well.
    const { _id, attempts } = email;
    await store.reach(() => store.emails.updateOne({ _id, attempts }, { $set: { report: 'done' } }));
  }
  return due.length === BATCH_SIZE;
}

function outcomeEvent(email: EmailRecord): OutboxRow {
  // Emails with an uncertain outcome are retried a few more times.
  const outcome = email.state === 'queued' ? 'uncertain' : email.state;
  return outboxRow({
    event: emailDelivered,
    data: emailDelivered.data.parse({
      kind: email.kind,
      about: email.about,
      outcome,
      cause: causeOf(email.mailingId),
    }),
    aggregate: email.about,
    actorId: null,
    id: deterministicId(`${email._id}:${outcome}`),
    occurredAt: (email.settledAt ?? email.createdAt).toISOString(),
    requestId: email.requestId,
  });
}
