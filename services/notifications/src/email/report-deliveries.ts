import { mailDelivered } from '@atrium/proto-events/events/notifications';
import type { Messaging } from '@atrium/service-kit/messaging/messaging';
import { type OutboxRow, outboxRow } from '@atrium/service-kit/messaging/outbox';
import { publishWithoutOutbox } from '@atrium/service-kit/messaging/publish-without-outbox';
import { crashPoint } from '@atrium/service-kit/process/crash-point';
import { deterministicId } from '@atrium/service-kit/process/new-id';
import type { MailRecord } from '../store/records.ts';
import type { Store } from '../store/store.ts';
import { causeOf } from './mail-cause.ts';

const BATCH = 100;

/**
 * Publishes what became of mails, straight to JetStream, as this store has no outbox: a mail is due until the publication was
 * acknowledged. A repeat has the same id, for JetStream and for every consumer's inbox. Answers whether there may be more.
 */
export async function reportOutcomes(store: Store, messaging: Messaging): Promise<boolean> {
  const due = await store.reach(() => store.mails.find({ report: 'due' }).limit(BATCH).lean());
  if (due.length === 0) return false;
  for (const mail of due) {
    await publishWithoutOutbox(messaging, 'notifications', outcomeEvent(mail));
    crashPoint('after-outcome-before-note');
    // A later attempt may have ended meanwhile, and that is to be published as well.
    const { _id, attempts } = mail;
    await store.reach(() => store.mails.updateOne({ _id, attempts }, { $set: { report: 'done' } }));
  }
  return due.length === BATCH;
}

function outcomeEvent(mail: MailRecord): OutboxRow {
  // An email whose outcome is uncertain is still tried again for a while.
  const outcome = mail.state === 'queued' ? 'uncertain' : mail.state;
  return outboxRow({
    event: mailDelivered,
    data: mailDelivered.data.parse({
      kind: mail.kind,
      about: mail.about,
      outcome,
      cause: causeOf(mail.mailingId),
    }),
    aggregate: mail.about,
    actorId: null,
    id: deterministicId(`${mail._id}:${outcome}`),
    occurredAt: (mail.settledAt ?? mail.createdAt).toISOString(),
    requestId: mail.requestId,
  });
}
