import { setTimeout as pause } from 'node:timers/promises';
import type { Messaging } from '../messaging/messaging.ts';
import type { OutboxRow } from '../messaging/outbox.ts';
import { publishWithoutOutbox } from '../messaging/publish-without-outbox.ts';
import type { Logger } from '../observability/logger.ts';

/**
 * Maximum number of records in memory while both the store and NATS are unavailable; beyond that, the oldest is lost.
 */
const MAX_WAITING = 1_000;
const RETRY_MS = 1_000;
/** How long a stopping process waits for NATS to accept the rest. */
const CLOSE_MS = 1_000;

type Options = { messaging: Promise<Messaging>; log: Logger; onDropped: () => void };

/** Publishes records directly to NATS, in order, retrying indefinitely: the fallback if no store accepts them. */
export function createRecordQueue({ messaging, log, onDropped }: Options) {
  const waiting: OutboxRow[] = [];
  let isBusy = false;
  let isClosed = false;
  let publishing: Promise<void> = Promise.resolve();
  const publishAll = async () => {
    const live = await messaging;
    for (let row = waiting[0]; row !== undefined && !isClosed; row = waiting[0]) {
      await publishWithoutOutbox(live, 'audit', row);
      if (waiting[0] === row) waiting.shift();
    }
  };
  const start = () => {
    if (isBusy || isClosed) return;
    isBusy = true;
    publishing = publishAll()
      .catch((error: unknown) => {
        void messaging.then((live) => live.knownStreams.delete(live.stream('audit')));
        log.debug({ err: error }, 'Failed to publish a security record; retrying');
      })
      .finally(() => {
        isBusy = false;
        if (waiting.length > 0 && !isClosed) setTimeout(start, RETRY_MS).unref();
      });
  };
  const drop = (count: number) => {
    if (count === 0) return;
    waiting.splice(0, count);
    for (let dropped = 0; dropped < count; dropped += 1) onDropped();
    log.error({ count }, 'Security records were lost');
  };
  return {
    add(row: OutboxRow) {
      if (waiting.length >= MAX_WAITING) drop(1);
      waiting.push(row);
      start();
    },
    async close() {
      await Promise.race([publishing, pause(CLOSE_MS, undefined, { ref: false })]);
      isClosed = true;
      drop(waiting.length);
    },
  };
}
