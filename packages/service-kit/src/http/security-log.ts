import { setTimeout as pause } from 'node:timers/promises';
import { auditEventOf, type SecurityRecord } from '@atrium/proto-events/events/audit';
import { type Messaging, publishWithoutOutbox } from '../messaging/messaging.ts';
import { type OutboxRow, outboxRow } from '../messaging/outbox.ts';
import type { Logger } from '../observability/logger.ts';
import { createDenialAggregator, type Denial } from './denial-aggregator.ts';

export type SecurityLog = {
  /** Resolves once it is stored, or after two seconds. Never rejects. */
  record(entry: SecurityRecord): Promise<void>;
  recordDenial(entry: Denial): Promise<void>;
  /** To be inserted in the transaction of the action. */
  row(entry: SecurityRecord): OutboxRow;
  /** For a record that was stored with its action. Contains no personal data. */
  write(entry: SecurityRecord): void;
  close(): Promise<void>;
};

export type StoreRecord = (row: OutboxRow) => Promise<void>;

type Options = {
  service: string;
  log: Logger;
  messaging: Promise<Messaging>;
  /** Without one, and while it is unavailable, records wait in memory for NATS. */
  getStore?: () => StoreRecord | undefined;
  /** More than a thousand records were waiting, or the process stopped. */
  onDropped?: () => void;
  windowMs?: number;
};

const STORE_TIMEOUT_MS = 2_000;
const MINUTE_MS = 60_000;
const MAX_EMAIL_LENGTH = 254;

/** A record is an outbox row before the response is sent, so that neither a crash nor an outage of NATS loses it. */
export function createSecurityLog(options: Options): SecurityLog {
  const { service, log, messaging, getStore, onDropped = () => undefined, windowMs = MINUTE_MS } = options;
  const event = auditEventOf(service);
  const queue = createRecordQueue({ messaging, log, onDropped });
  const denials = createDenialAggregator(windowMs, (entry) => record(entry));

  const write = (entry: SecurityRecord) => {
    const { email: _email, address: _address, ...impersonal } = entry;
    log.info({ security: impersonal }, 'security');
  };
  // Each is an aggregate of its own, since their order does not matter.
  const row = (entry: SecurityRecord) => {
    const data = entry.email === undefined ? entry : { ...entry, email: truncate(entry.email) };
    const outbox = outboxRow({ event, data, aggregate: service, actorId: entry.userId });
    return { ...outbox, aggregate: outbox.messageId };
  };
  const store = async (pending: OutboxRow) => {
    try {
      const storeRecord = getStore?.();
      if (!storeRecord) return queue.add(pending);
      await Promise.race([storeRecord(pending), timeout()]);
    } catch (error) {
      log.warn({ err: error }, 'Failed to store security record; waiting for NATS');
      queue.add(pending);
    }
  };
  const record = async (entry: SecurityRecord) => {
    write(entry);
    try {
      await store(row(entry));
    } catch (err) {
      log.error({ err }, 'Security record does not match its event schema');
    }
  };
  return {
    record,
    row,
    write,
    recordDenial: denials.add,
    async close() {
      await denials.close();
      await queue.close();
    },
  };
}

const timeout = async (): Promise<never> => {
  await pause(STORE_TIMEOUT_MS, undefined, { ref: false });
  throw new Error(`The store took longer than ${STORE_TIMEOUT_MS} ms`);
};

/** Addresses are limited in characters, events in UTF-16 units: a prefix identifies the account. */
const truncate = (email: string) => email.slice(0, MAX_EMAIL_LENGTH).toWellFormed();

/** While both the store and NATS are unavailable; beyond that, the oldest is lost. */
const MAX_WAITING = 1_000;
const RETRY_MS = 1_000;
/** How long a stopping process waits for NATS to accept the rest. */
const CLOSE_MS = 1_000;

type QueueOptions = { messaging: Promise<Messaging>; log: Logger; onDropped: () => void };

/** In order, retrying indefinitely: the fallback if no store accepts the records. */
function createRecordQueue({ messaging, log, onDropped }: QueueOptions) {
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
