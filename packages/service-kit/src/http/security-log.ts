import { setTimeout as pause } from 'node:timers/promises';
import { auditEventOf, type SecurityRecord } from '@atrium/proto-events/events/audit';
import type { Messaging } from '../messaging/messaging.ts';
import { type OutboxRow, outboxRow } from '../messaging/outbox.ts';
import type { Logger } from '../observability/logger.ts';
import { createDenialAggregator, type Denial } from './denial-aggregator.ts';
import { createRecordQueue } from './record-queue.ts';

export type SecurityLog = {
  /** Stores a record and writes its log line; resolves once it is stored, or after two seconds. Never rejects. */
  record(entry: SecurityRecord): Promise<void>;
  /** The same for a denial: the first within a minute immediately, and equal ones that follow it as one record with their count. */
  recordDenial(entry: Denial): Promise<void>;
  /** The row of the outbox for an act, to be inserted in the transaction of that act. */
  row(entry: SecurityRecord): OutboxRow;
  /** Writes the log line of a record that was stored with its act, without what is personal. */
  write(entry: SecurityRecord): void;
  /** Stores what is still counted, and waits for NATS to take what could not be stored, for a second. */
  close(): Promise<void>;
};

/** Stores the row of a record durably. */
export type StoreRecord = (row: OutboxRow) => Promise<void>;

type Options = {
  service: string;
  log: Logger;
  messaging: Promise<Messaging>;
  /** Where records are stored; asked for at each record. Without it, and while the store is unavailable, they wait in memory for NATS. */
  keep?: () => StoreRecord | undefined;
  /** Called for each record that is lost: more than a thousand were waiting, or the process stopped. */
  onDropped?: () => void;
  windowMs?: number;
};

/** How long whoever caused a record waits for it to be stored. */
const STORE_TIMEOUT_MS = 2_000;
const MINUTE_MS = 60_000;
const MAX_EMAIL_LENGTH = 254;

/**
 * Records sign-ins, guesses, and denials: in the log, and as `audit.<service>.recorded`. A record is a row of the outbox before the response
 * is sent, so that neither a crash nor an outage of NATS loses who tried what.
 */
export function createSecurityLog(options: Options): SecurityLog {
  const { service, log, messaging, keep, onDropped = () => undefined, windowMs = MINUTE_MS } = options;
  const event = auditEventOf(service);
  const queue = createRecordQueue({ messaging, log, onDropped });
  const merger = createDenialAggregator(windowMs, (entry) => record(entry));

  const write = (entry: SecurityRecord) => {
    const { email: _email, address: _address, ...impersonal } = entry;
    log.info({ security: impersonal }, 'security');
  };
  // Each is a record of its own: their order does not matter.
  const row = (entry: SecurityRecord) => {
    const data = entry.email === undefined ? entry : { ...entry, email: shortened(entry.email) };
    const made = outboxRow({ event, data, aggregate: service, actorId: entry.userId });
    return { ...made, aggregate: made.messageId };
  };
  const store = async (made: OutboxRow) => {
    try {
      const into = keep?.();
      if (!into) return queue.add(made);
      await Promise.race([into(made), timeout()]);
    } catch (error) {
      log.warn({ err: error }, 'Failed to store a security record; it waits for NATS');
      queue.add(made);
    }
  };
  const record = async (entry: SecurityRecord) => {
    write(entry);
    try {
      await store(row(entry));
    } catch (err) {
      log.error({ err }, 'Security record does not fit its event');
    }
  };
  return {
    record,
    row,
    write,
    recordDenial: merger.add,
    async close() {
      await merger.close();
      await queue.close();
    },
  };
}

const timeout = async (): Promise<never> => {
  await pause(STORE_TIMEOUT_MS, undefined, { ref: false });
  throw new Error(`the store took longer than ${STORE_TIMEOUT_MS} ms`);
};

/** An address is as long as it has characters, the event as it has UTF-16 units: whoever was guessed at is known by the first ones. */
const shortened = (email: string) => email.slice(0, MAX_EMAIL_LENGTH).toWellFormed();
