import { setTimeout as pause } from 'node:timers/promises';
import { auditEventOf, type SecurityRecord } from '@atrium/proto-events/events/audit';
import type { Messaging } from '../messaging/messaging.ts';
import { type OutboxRow, outboxRow } from '../messaging/outbox.ts';
import { publishDirectly } from '../messaging/publish-directly.ts';
import type { Logger } from '../observe/logger.ts';

export type SecurityLog = {
  /** Writes a log line, without what is personal, and tells the event as soon as it can be told. Never fails and never delays who calls it. */
  record(entry: SecurityRecord): void;
  /** The same for a refusal: the first within a minute at once, and those that follow it as one with their number. */
  refuse(entry: SecurityRecord): void;
  /** Tells what is still counted and what waits, as far as NATS takes it within a second. */
  close(): Promise<void>;
};

type Options = { service: string; log: Logger; messaging: Promise<Messaging>; windowMs?: number };

/** Records that wait while NATS is away; older ones make room. All of them are in the log, without e-mail and address. */
const WAITING = 1_000;
const RETRY_MS = 1_000;
/** How long a process that stops waits for NATS to take what is left. */
const LAST_MS = 1_000;
const MINUTE_MS = 60_000;
const LONGEST_EMAIL = 254;
/** People and routes whose refusals are counted at a time; beyond, each is recorded by itself. */
const COUNTED = 10_000;

/** Tells what whoever watches over the workspace wants to know, in the log and as `audit.<service>.recorded`. */
export function createSecurityLog({ service, log, messaging, windowMs = MINUTE_MS }: Options): SecurityLog {
  const event = auditEventOf(service);
  const publisher = startPublisher(messaging, log);
  const repeats = new Map<string, { entry: SecurityRecord; count: number; timer: NodeJS.Timeout }>();
  const record = (entry: SecurityRecord) => {
    const { email: _email, address: _address, ...impersonal } = entry;
    log.info({ security: impersonal }, 'security');
    const data = entry.email === undefined ? entry : { ...entry, email: shortened(entry.email) };
    try {
      publisher.add(outboxRow({ event, data, aggregate: service, actorId: entry.userId }));
    } catch (err) {
      log.error({ err }, 'a security record does not fit its event');
    }
  };
  const tell = (key: string) => {
    const known = repeats.get(key);
    if (!known) return;
    clearTimeout(known.timer);
    repeats.delete(key);
    if (known.count > 0) record({ ...known.entry, count: known.count });
  };
  return {
    record,
    refuse(entry) {
      const key = [entry.action, entry.userId ?? entry.address, entry.method, entry.route].join(' ');
      const known = repeats.get(key);
      if (known) {
        known.count += 1;
        return;
      }
      record(entry);
      if (repeats.size >= COUNTED) return;
      repeats.set(key, { entry, count: 0, timer: setTimeout(() => tell(key), windowMs).unref() });
    },
    async close() {
      for (const key of repeats.keys()) tell(key);
      await publisher.close();
    },
  };
}

/** An address is as long as it has characters, the event as it has UTF-16 units: whoever was guessed at is known by the first ones. */
const shortened = (email: string) => email.slice(0, LONGEST_EMAIL).toWellFormed();

/** Publishes in order, one at a time; what fails is tried again until something newer needs the room. */
function startPublisher(messaging: Promise<Messaging>, log: Logger) {
  const waiting: OutboxRow[] = [];
  let busy = false;
  let closed = false;
  let publishing: Promise<void> = Promise.resolve();
  const publishAll = async () => {
    const live = await messaging;
    for (let row = waiting[0]; row !== undefined && !closed; row = waiting[0]) {
      // Each is a record by itself.
      await publishDirectly(live, 'audit', { ...row, aggregate: row.messageId });
      if (waiting[0] === row) waiting.shift();
    }
  };
  const start = () => {
    if (busy || closed) return;
    busy = true;
    publishing = publishAll()
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
    async close() {
      await Promise.race([publishing, pause(LAST_MS)]);
      closed = true;
    },
  };
}
