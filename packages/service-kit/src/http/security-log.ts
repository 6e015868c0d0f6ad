import { setTimeout as delay } from 'node:timers/promises';
import { defineAuditEvent } from '@atrium/proto-events/events/audit';
import type { SecurityRecord } from '@atrium/proto-events/security-record';
import { type Messaging, publishWithoutOutbox } from '../messaging/messaging.ts';
import { type OutboxRow, outboxRow } from '../messaging/outbox.ts';
import type { Logger } from '../observability/logger.ts';
import { createDenialAggregator, type Denial } from './denial-aggregator.ts';

export type SecurityLog = {
  /** Resolves once the record is stored, or after two seconds. Never rejects. */
  record(entry: SecurityRecord): Promise<void>;
  /** Records the first denial at once, and identical ones within the next minute as one record with a count. */
  recordDenial(entry: Denial): Promise<void>;
  /** Returns the outbox row, to be inserted in the transaction of the action. */
  row(entry: SecurityRecord): OutboxRow;
  /** Logs a record that was stored with its action. The line contains no personal data. */
  write(entry: SecurityRecord): void;
  close(): Promise<void>;
};

export type StoreSecurityRecord = (row: OutboxRow) => Promise<void>;

type Options = {
  service: string;
  log: Logger;
  messaging: Promise<Messaging>;
  /** Without a store, and while it is unavailable, records wait in memory for NATS. */
  getSecurityRecordStore?: () => StoreSecurityRecord | undefined;
  /** Called for each lost record: more than a thousand were waiting, or the process stopped. */
  onDropped?: () => void;
  windowMs?: number;
};

const STORE_TIMEOUT_MS = 2_000;
const MINUTE_MS = 60_000;
const MAX_EMAIL_LENGTH = 254;

/**
 * Stores each record as an outbox row before the response is sent, so that neither a crash nor a NATS outage loses it.
 */
export function createSecurityLog(options: Options): SecurityLog {
  const {
    service,
    log,
    messaging,
    getSecurityRecordStore: getStore,
    onDropped = () => undefined,
    windowMs = MINUTE_MS,
  } = options;
  const event = defineAuditEvent(service);
  const queue = createRecordQueue({ messaging, log, onDropped });
  const denials = createDenialAggregator(windowMs, (entry) => record(entry));

  const write = (entry: SecurityRecord) => {
    const { email: _email, address: _address, ...impersonal } = entry;
    log.info({ security: impersonal }, 'security');
  };
  // Each record is its own aggregate, since their order does not matter.
  const row = (entry: SecurityRecord) => {
    const data = entry.email === undefined ? entry : { ...entry, email: truncate(entry.email) };
    const outbox = outboxRow({ event, data, aggregate: service, actorId: entry.userId });
    return { ...outbox, aggregate: outbox.messageId };
  };
  const store = async (pendingRow: OutboxRow) => {
    try {
      const storeRecord = getStore?.();
      if (!storeRecord) return queue.add(pendingRow);
      await Promise.race([storeRecord(pendingRow), timeout()]);
    } catch (error) {
      log.warn({ err: error }, 'Failed to store security record; waiting for NATS');
      queue.add(pendingRow);
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
  await delay(STORE_TIMEOUT_MS, undefined, { ref: false });
  throw new Error(`The store took longer than ${STORE_TIMEOUT_MS} ms`);
};

/**
 * Emails are limited in characters but event fields in UTF-16 units, so long ones are cut; the prefix still identifies
 * the account.
 */
const truncate = (email: string) => email.slice(0, MAX_EMAIL_LENGTH).toWellFormed();

/** Maximum records in memory while both the store and NATS are unavailable; beyond that, the oldest is lost. */
const MAX_WAITING = 1_000;
const RETRY_MS = 1_000;
/** How long a stopping process waits for NATS to accept the remaining records. */
const CLOSE_MS = 1_000;

type QueueOptions = { messaging: Promise<Messaging>; log: Logger; onDropped: () => void };

/** Publishes records in order, with unlimited retries: the fallback if no store accepts them. */
function createRecordQueue({ messaging, log, onDropped }: QueueOptions) {
  const waitingRows: OutboxRow[] = [];
  let isBusy = false;
  let isClosed = false;
  let publishing: Promise<void> = Promise.resolve();
  const publishAll = async () => {
    const connectedMessaging = await messaging;
    for (let row = waitingRows[0]; row !== undefined && !isClosed; row = waitingRows[0]) {
      await publishWithoutOutbox(connectedMessaging, 'audit', row);
      if (waitingRows[0] === row) waitingRows.shift();
    }
  };
  const start = () => {
    if (isBusy || isClosed) return;
    isBusy = true;
    publishing = publishAll()
      .catch((error: unknown) => {
        void messaging.then(({ knownStreams, stream }) => knownStreams.delete(stream('audit')));
        log.debug({ err: error }, 'Failed to publish a security record; retrying');
      })
      .finally(() => {
        isBusy = false;
        if (waitingRows.length > 0 && !isClosed) setTimeout(start, RETRY_MS).unref();
      });
  };
  const drop = (count: number) => {
    if (count === 0) return;
    waitingRows.splice(0, count);
    for (let n = 0; n < count; n += 1) onDropped();
    log.error({ count }, 'Security records were lost');
  };
  return {
    add(row: OutboxRow) {
      if (waitingRows.length >= MAX_WAITING) drop(1);
      waitingRows.push(row);
      start();
    },
    async close() {
      await Promise.race([publishing, delay(CLOSE_MS, undefined, { ref: false })]);
      isClosed = true;
      drop(waitingRows.length);
    },
  };
}
