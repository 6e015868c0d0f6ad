import { setTimeout as delay } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { type EventDefinition, subjectOf } from '@atrium/proto-events/event';
import type { Logger } from '../observability/logger.ts';
import { type PollingLoop, startPollingLoop } from '../process/polling-loop.ts';
import { type Messaging, requireStream } from './messaging.ts';
import { outboxRow } from './outbox.ts';

/** Numbers that screens show, such as active projects, and that many events change. */
export type Counts = {
  /** Its data are the counts. */
  event: EventDefinition;
  /** Events after which the counts may differ. */
  affectedBy: readonly EventDefinition[];
  compute: () => Promise<unknown>;
};

const MIN_INTERVAL_MS = 500;
/** Counts of overdue items and of the current month change without an event. */
const RECOUNT_INTERVAL_MS = 60_000;

export type CountsPublisher = PollingLoop & { onPublished(subjects: readonly string[]): void };

/**
 * Publishes the counts at most twice per second, after events that affect them, if they differ from the last ones.
 * Only the pod that relays the outbox does so. A pod that starts to relay counts once, because its predecessor may have
 * stopped between an event and the counts.
 */
export function startCountsPublisher(counts: Counts, messaging: Messaging, log: Logger): CountsPublisher {
  const affectingSubjects = new Set(counts.affectedBy.map(subjectOf));
  const stop = new AbortController();
  let lastPublished: unknown;
  const loop = startPollingLoop({
    name: 'counts',
    intervalMs: RECOUNT_INTERVAL_MS,
    retryDelayMs: MIN_INTERVAL_MS,
    log,
    async round() {
      if (!messaging.isRelayLeader()) {
        lastPublished = undefined;
        return false;
      }
      const data = await counts.compute();
      if (!isDeepStrictEqual(data, lastPublished)) {
        await publish(counts.event, data, messaging);
        lastPublished = data;
      }
      await delay(MIN_INTERVAL_MS, undefined, { signal: stop.signal }).catch(() => undefined);
      return false;
    },
  });
  return {
    ...loop,
    onPublished(subjects) {
      if (subjects.some((subject) => affectingSubjects.has(subject))) loop.wake();
    },
    async close() {
      stop.abort();
      await loop.close();
    },
  };
}

/** Not through the outbox: counts that are lost in a crash are published again by the next pod. */
async function publish(event: EventDefinition, data: unknown, messaging: Messaging): Promise<void> {
  const { subject, messageId, payload } = outboxRow({ event, data, aggregate: event.type, actorId: null });
  await requireStream(messaging, messaging.service);
  await messaging.js.publish(messaging.subject(subject), payload, { msgID: messageId });
}
