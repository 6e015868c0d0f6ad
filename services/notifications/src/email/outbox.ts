import { AppError } from '@atrium/service-kit/http/app-error';
import type { Messaging } from '@atrium/service-kit/messaging/messaging';
import { type PollingLoop, startPollingLoop } from '@atrium/service-kit/process/polling-loop';
import type { ServiceContext } from '@atrium/service-kit/process/service-definition';
import { type Config, sealingKeys } from '../config.ts';
import type { Replies } from '../replies/read-reply-mail.ts';
import { ageOut } from '../store/expire-records.ts';
import type { Store } from '../store/store.ts';
import { createClaims } from './claims.ts';
import { createDeliveryWorkers } from './delivery-workers.ts';
import { measureMails } from './mail-metrics.ts';
import type { Mailer } from './mailer.ts';
import { type Mailing, queueMails } from './queue-mails.ts';
import { reportOutcomes } from './report-deliveries.ts';

export type Outbox = { queue(mailing: Mailing): Promise<void>; close(): Promise<void> };

type Parts = { store: Store; mailer: Mailer; kit: ServiceContext<Config>; replies: Replies | undefined };

const LOOK_MS = 2_000;
const HOUR = 60 * 60_000;
/** How long emails in flight may take at a stop; what they come to must still be recorded. */
const GRACE_MS = 5_000;

/** An outage of the store is told by the store. */
const isTold = (error: unknown) => error instanceof AppError && error.code === 'unavailable';

/** Everything that happens to mails without being asked: they are sent, their outcomes published, and in time forgotten. */
export function startOutbox({ store, mailer, kit, replies }: Parts): Outbox {
  const { config, log } = kit;
  const stop = new AbortController();
  let messaging: Messaging | undefined;
  const reporter = startPollingLoop({
    what: 'outcomes of mails',
    everyMs: LOOK_MS,
    isTold,
    log,
    round: async () => (messaging ? reportOutcomes(store, messaging) : false),
  });
  const sending = {
    store,
    claims: createClaims(store),
    directory: kit.directory,
    mailer,
    log,
    metrics: measureMails(kit.metrics.registry, store),
    signal: stop.signal,
    setting: {
      workspace: config.WORKSPACE_NAME,
      publicUrl: config.PUBLIC_URL,
      domain: config.MAIL_DOMAIN,
      replies,
      sealingKeys: sealingKeys(config),
    },
    onSettled: reporter.wake,
  };
  const workers = createDeliveryWorkers(sending, () => sender.wake());
  const sender: PollingLoop = startPollingLoop({
    what: 'outbox of mails',
    everyMs: LOOK_MS,
    isTold,
    log,
    round: workers.round,
  });
  const cleaner = startPollingLoop({
    what: 'ageing out',
    everyMs: HOUR,
    isTold,
    log,
    round: () => ageOut(store, log, stop.signal),
  });
  // The first rounds come before the store does, and the next ageing out would come in an hour.
  const wakeWith = (moment: Promise<void>, ...loops: PollingLoop[]) => {
    moment.then(
      () => {
        for (const { wake } of loops) wake();
      },
      () => undefined,
    );
  };
  wakeWith(store.connected, sender, reporter);
  wakeWith(store.indexed, cleaner);
  void kit.messaging.then((connected) => {
    messaging = connected;
    reporter.wake();
  });
  return {
    async queue(mailing) {
      await queueMails(store, mailing);
      sender.wake();
    },
    async close() {
      stop.abort();
      await Promise.all([sender.close(), workers.close(GRACE_MS), cleaner.close()]);
      await reporter.close();
    },
  };
}
