import { AppError } from '@atrium/service-kit/errors/app-error';
import { gaugeAtScrape } from '@atrium/service-kit/observability/metrics';
import { startPollingLoop } from '@atrium/service-kit/process/polling-loop';
import type { ServiceContext } from '@atrium/service-kit/service/service-definition';
import { Counter, type Registry } from 'prom-client';
import type { Config } from '../config.ts';
import type { PushRecord } from '../store/push-records.ts';
import type { Store } from '../store/store.ts';
import { deliverPush, PUSH_OUTCOMES, type PushOutcome } from './deliver-push.ts';
import { countDuePushes, findDuePushes } from './due-pushes.ts';
import type { PushSettings } from './push-settings.ts';
import { queuePushes } from './queue-pushes.ts';

export type PushQueue = {
  /** Queues what devices have to show or withdraw after notifications about a subject have changed. */
  queue(change: { userIds: readonly string[]; subjectId: string }): Promise<void>;
  close(): Promise<void>;
};

type PushQueueDeps = { store: Store; settings: PushSettings; context: ServiceContext<Config> };

const POLL_INTERVAL_MS = 2_000;
/** Push services may stall; each request ends after ten seconds. */
const MAX_CONCURRENT_PUSHES = 100;

/** The store itself logs outages. */
const isStoreOutage = (error: unknown) => error instanceof AppError && error.code === 'unavailable';

export function startPushQueue({ store, settings, context }: PushQueueDeps): PushQueue {
  const { log, directory } = context;
  const stop = new AbortController();
  const countOutcome = registerPushMetrics(context.metrics.registry, store);
  const inFlight = new Map<string, Promise<void>>();

  const deliver = async (push: PushRecord) => {
    const outcome = await deliverPush(push, { store, directory, settings, log, signal: stop.signal });
    if (outcome) countOutcome(outcome);
  };
  const start = (push: PushRecord) => {
    const delivery = deliver(push)
      .catch((error) => {
        if (!isStoreOutage(error)) log.warn({ err: error, pushId: push._id }, 'Failed to deliver push');
      })
      .finally(() => {
        inFlight.delete(push._id);
        sender.wake();
      });
    inFlight.set(push._id, delivery);
  };
  const round = async () => {
    const idleCount = MAX_CONCURRENT_PUSHES - inFlight.size;
    if (settings.keys.length === 0 || idleCount === 0) return false;
    const due = await store.run(() => findDuePushes(store, { limit: idleCount, excludedIds: [...inFlight.keys()] }));
    if (!stop.signal.aborted) for (const push of due) start(push);
    return false;
  };
  const sender = startPollingLoop({
    name: 'push queue',
    intervalMs: POLL_INTERVAL_MS,
    isReportedElsewhere: isStoreOutage,
    log,
    round,
  });
  store.connected.then(sender.wake, () => undefined);
  return {
    async queue(change) {
      if (settings.keys.length === 0) return;
      const dueTimes = await store.run(() => queuePushes(store, change));
      sender.wake();
      for (const time of new Set(dueTimes.map(Number))) setTimeout(sender.wake, time - Date.now()).unref();
    },
    async close() {
      stop.abort();
      await sender.close();
      await Promise.all(inFlight.values());
    },
  };
}

function registerPushMetrics(registry: Registry, store: Store): (outcome: PushOutcome) => void {
  const counter = new Counter({
    name: 'pushes_total',
    help: 'Push messages by outcome; `gone`: the subscription no longer exists, `obsolete`: there was nothing to send anymore',
    labelNames: ['outcome'],
    registers: [registry],
  });
  for (const outcome of PUSH_OUTCOMES) counter.inc({ outcome }, 0);
  gaugeAtScrape(registry, {
    name: 'pushes_queued',
    help: 'Queued push messages that are due; every pod reports the same',
    read: async () => [{ value: await store.run(() => countDuePushes(store)) }],
  });
  return (outcome) => counter.inc({ outcome });
}
