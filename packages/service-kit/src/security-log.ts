import { auditEventOf, type SecurityRecord } from '@atrium/proto-events/events/audit';
import type { Logger } from './logger.ts';
import { ensureStream, type Messaging } from './messaging.ts';
import { type OutboxRow, outboxRow } from './outbox.ts';

export type SecurityLog = {
  /** Writes a log line and tells the event as soon as it can be told. Never fails and never delays who calls it. */
  record(entry: SecurityRecord): void;
  /** The same for a refusal: the first within a minute at once, and those that follow it as one with their number. */
  refuse(entry: SecurityRecord): void;
  close(): void;
};

type Options = { service: string; log: Logger; messaging: Promise<Messaging>; windowMs?: number };

/** Records that wait while NATS is away; older ones make room. All of them are in the log. */
const WAITING = 1_000;
const RETRY_MS = 1_000;
const MINUTE_MS = 60_000;
/** People and routes whose refusals are counted at a time; beyond, each is recorded by itself. */
const COUNTED = 10_000;

/** Tells what whoever watches over the workspace wants to know, in the log and as `audit.<service>.recorded`. */
export function createSecurityLog({ service, log, messaging, windowMs = MINUTE_MS }: Options): SecurityLog {
  const event = auditEventOf(service);
  const publisher = startPublisher(messaging, log);
  const repeats = new Map<string, number>();
  const record = (entry: SecurityRecord) => {
    log.info({ security: entry }, 'security');
    publisher.add(outboxRow({ event, data: entry, aggregate: service, actorId: entry.userId }));
  };
  return {
    record,
    refuse(entry) {
      const key = [entry.action, entry.userId ?? entry.address, entry.method, entry.route].join(' ');
      const before = repeats.get(key);
      if (before !== undefined) return void repeats.set(key, before + 1);
      record(entry);
      if (repeats.size >= COUNTED) return;
      repeats.set(key, 0);
      setTimeout(() => {
        const count = repeats.get(key) ?? 0;
        repeats.delete(key);
        if (count > 0) record({ ...entry, count });
      }, windowMs).unref();
    },
    close: publisher.close,
  };
}

/** Publishes in order, one at a time; what fails is tried again until something newer needs the room. */
function startPublisher(messaging: Promise<Messaging>, log: Logger) {
  const waiting: OutboxRow[] = [];
  let busy = false;
  let closed = false;
  const publishAll = async () => {
    const live = await messaging;
    for (let row = waiting[0]; row !== undefined && !closed; row = waiting[0]) {
      await ensureStream(live, 'audit');
      await live.js.publish(live.subject(row.subject), row.payload, { msgID: row.messageId });
      if (waiting[0] === row) waiting.shift();
    }
  };
  const start = () => {
    if (busy || closed) return;
    busy = true;
    publishAll()
      .catch((error: unknown) => {
        void messaging.then((live) => live.knownStreams.delete(live.stream('audit')));
        log.debug({ err: error }, 'a security record waits');
      })
      .finally(() => {
        busy = false;
        if (waiting.length > 0 && !closed) setTimeout(start, RETRY_MS).unref();
      });
  };
  return {
    add(row: OutboxRow) {
      if (waiting.length >= WAITING) waiting.shift();
      waiting.push(row);
      start();
    },
    close() {
      closed = true;
    },
  };
}
