import { z } from 'zod';
import type { Logger } from '../observability/logger.ts';
import { currentTraceparent, isTracing, TRACEPARENT, withSpan } from '../observability/tracing.ts';
import { acquireLease, releaseLease } from '../postgres/lease.ts';
import type { Db } from '../postgres/postgres.ts';
import { type ClockReading, isWithin, readClocks } from '../process/clock-reading.ts';
import { crashPoint } from '../process/crash-point.ts';
import { newId } from '../process/new-id.ts';
import { type PollingLoop, startPollingLoop } from '../process/polling-loop.ts';
import { aggregateHeaders, type Messaging, requireStream, TRANSACTION } from './messaging.ts';
import { DIRECTORY_SUBJECT, PROJECTS_SUBJECT } from './outbox.ts';

const LEASE_NAME = 'relay';
const LEASE_SECONDS = 5;
const RENEW_INTERVAL_MS = 1_000;
const MAX_HEADER_BYTES = 1_024;
const BATCH_SIZE = 500;
/** The rows of one aggregate are published sequentially, which takes a tenth of a second. */
const MAX_ROWS_PER_AGGREGATE = 100;
const POLL_MS = 1_000;

type Row = {
  id: number;
  subject: string;
  message_id: string;
  aggregate: string;
  payload: string;
  transaction_id: string;
};
type Pools = {
  /** The pool of requests. */
  db: Db;
  /** The relay's own connections, which never wait for requests. */
  relayDb: Db;
};
type Leadership = { isHeld: () => boolean };
type RelayOptions = {
  messaging: Messaging;
  log: Logger;
  onPublished?: ((subjects: readonly string[]) => void) | undefined;
};

/**
 * Publishes committed events. A lease ensures that one pod of a service relays at a time, which preserves the order
 * within an aggregate. Other pods notify that pod of commits over NATS, and try to take over the lease once a second.
 */
export function startRelay(
  service: string,
  { db, relayDb }: Pools,
  { messaging, log, onPublished }: RelayOptions,
): PollingLoop {
  const wakeSubject = messaging.subject(`outbox.${service}`);
  const holder = newId();
  // Measured from before the request, so it expires here no later than in the database.
  let leaseRequestedAt: ClockReading | undefined;
  let renewAt = 0;
  let wakeSubscription: { unsubscribe(): void } | undefined;
  const leadership: Leadership = { isHeld: () => isWithin(leaseRequestedAt, LEASE_SECONDS * 1_000) };
  messaging.isRelayLeader = leadership.isHeld;

  /** Acquires or renews the lease, and returns whether this pod leads. */
  const ensureLease = async () => {
    const requestedAt = readClocks();
    if (requestedAt.ticks < renewAt && leadership.isHeld()) return true;
    const isLeader = await acquireLease(relayDb, LEASE_NAME, holder, LEASE_SECONDS);
    leaseRequestedAt = isLeader ? requestedAt : undefined;
    renewAt = isLeader ? requestedAt.ticks + RENEW_INTERVAL_MS : 0;
    if (isLeader) wakeSubscription ??= messaging.connection.subscribe(wakeSubject, { callback: loop.wake });
    else {
      wakeSubscription?.unsubscribe();
      wakeSubscription = undefined;
    }
    return isLeader;
  };
  const loop = startPollingLoop({
    name: 'outbox',
    intervalMs: POLL_MS,
    log,
    async round() {
      if (!(await ensureLease())) return false;
      try {
        return await relayBatch({ service, db: relayDb, messaging, log, leadership, onPublished });
      } catch (error) {
        messaging.knownStreams.clear();
        throw error;
      }
    },
  });
  const wake = () => {
    if (leadership.isHeld()) loop.wake();
    else if (!messaging.connection.isClosed()) messaging.connection.publish(wakeSubject);
  };
  db.onCommit(wake);

  return {
    wake,
    async close() {
      await loop.close();
      wakeSubscription?.unsubscribe();
      const wasLeader = leadership.isHeld();
      leaseRequestedAt = undefined;
      if (wasLeader) await releaseLease(relayDb, LEASE_NAME, holder).catch(() => undefined);
    },
  };
}

type Batch = RelayOptions & { service: string; db: Db; leadership: Leadership };

async function relayBatch(batch: Batch): Promise<boolean> {
  const { service, db, messaging, log, onPublished } = batch;
  const { rows, hasMore } = await readBatch(db);
  if (rows.length === 0) return false;
  crashPoint('after-commit-before-publish');
  await requireStream(messaging, service);
  const chains = Map.groupBy(rows, getChainKey);
  const results = await Promise.all([...chains.values()].map((chain) => publishChain(chain, batch)));
  const sentIds = results.flatMap((result) => result.sentIds);
  const sent = new Set(sentIds);
  onPublished?.(rows.filter(({ id }) => sent.has(id)).map(({ subject }) => subject));
  if (sentIds.length > 0) crashPoint('after-publish-before-delete');
  if (sentIds.length > 0) await db.query('delete from outbox where id = any($1)', [sentIds]);
  for (const { row, reason } of results.flatMap((result) => result.rejected)) {
    log.error({ outboxId: row.id, subject: row.subject, reason }, 'Outbox row rejected by NATS');
    await db.query('update outbox set rejected_at = now(), rejection = $2 where id = $1', [row.id, reason]);
  }
  const failedResult = results.find((result) => 'error' in result);
  if (failedResult) throw failedResult.error;
  return hasMore;
}

/**
 * Reads the oldest rows. Of an aggregate with many rows, it reads only the first ones, and then the next rows of all
 * other aggregates, so that tens of thousands of events of one user delay no others.
 */
async function readBatch(db: Db): Promise<{ rows: Row[]; hasMore: boolean }> {
  const oldestRows = await readRows(db, []);
  if (oldestRows.length < BATCH_SIZE) return { rows: oldestRows, hasMore: false };
  const byAggregate = [...Map.groupBy(oldestRows, ({ aggregate }) => aggregate)];
  // Bucket values are never postponed, since later events must not precede them.
  const busyAggregates = byAggregate.filter(
    ([, rows]) => rows.length > MAX_ROWS_PER_AGGREGATE && !rows.some(isBucketValue),
  );
  if (busyAggregates.length === 0) return { rows: oldestRows, hasMore: true };
  const otherRows = await readRows(
    db,
    busyAggregates.map(([aggregate]) => aggregate),
  );
  const firstRows = busyAggregates.flatMap(([, rows]) => rows.slice(0, MAX_ROWS_PER_AGGREGATE));
  // In insertion order, so that a bucket value, which is its own aggregate, precedes the events that follow it.
  return { rows: [...firstRows, ...otherRows].toSorted((a, b) => a.id - b.id), hasMore: true };
}

async function readRows(db: Db, excludedAggregates: string[]): Promise<Row[]> {
  const { rows } = await db.query<Row>({
    name: 'outbox-read-without',
    text: `select id, subject, message_id, aggregate, payload, transaction_id::text from outbox
           where rejected_at is null and aggregate <> all($2::text[]) order by id limit $1`,
    values: [BATCH_SIZE, excludedAggregates],
  });
  return rows;
}

const BUCKETS = [DIRECTORY_SUBJECT, PROJECTS_SUBJECT];

/**
 * Returns the key of rows that are published in order. Bucket values share the key of their entity's events, so that an
 * event inserted after a value is published after it. The key is derived from the subject, since each of these values
 * is its own aggregate.
 */
function getChainKey(row: Row): string {
  const key = isBucketValue(row) && row.subject.slice(row.subject.lastIndexOf('.') + 1);
  return key || row.aggregate;
}

const isBucketValue = ({ subject }: Row) => BUCKETS.some((prefix) => subject.startsWith(prefix));

type PublishResult = { sentIds: number[]; rejected: { row: Row; reason: string }[]; error?: unknown };

/** Publishes each row only after the previous one was acknowledged. */
async function publishChain(chain: Row[], { messaging, leadership }: Batch): Promise<PublishResult> {
  const result: PublishResult = { sentIds: [], rejected: [] };
  for (const row of chain) {
    // A process that was paused for longer than its lease may have a successor.
    if (!leadership.isHeld()) return { ...result, error: new Error('The outbox lease expired') };
    const size = Buffer.byteLength(row.payload);
    const maxPayload = messaging.connection.info?.max_payload ?? Number.POSITIVE_INFINITY;
    if (size > maxPayload - MAX_HEADER_BYTES) {
      result.rejected.push({ row, reason: `${size} bytes exceed the NATS maximum of ${maxPayload}` });
      continue;
    }
    try {
      await publishTraced(row, (traceparent) => {
        const headers = aggregateHeaders(row.aggregate);
        headers.set(TRANSACTION, row.transaction_id);
        if (traceparent !== undefined) headers.set(TRACEPARENT, traceparent);
        return messaging.js.publish(toFullSubject(row.subject, messaging), row.payload, {
          msgID: row.message_id,
          headers,
        });
      });
      result.sentIds.push(row.id);
      if (row !== chain.at(-1)) crashPoint('in-a-chain-of-events');
    } catch (error) {
      return { ...result, error };
    }
  }
  return result;
}

const tracedPayload = z.object({ traceparent: z.string() });

/** Publishes in the span that inserted the row, if tracing is enabled. */
function publishTraced(
  { subject, payload }: Row,
  publish: (traceparent: string | undefined) => Promise<unknown>,
): Promise<unknown> {
  if (!isTracing()) return publish(undefined);
  const parsed = tracedPayload.safeParse(JSON.parse(payload));
  if (!parsed.success) return publish(undefined);
  const options = { name: `publish ${removeKey(subject)}`, kind: 'producer', parent: parsed.data.traceparent } as const;
  return withSpan(options, () => publish(currentTraceparent()));
}

/** Turns the subject of a bucket value, such as `directory:user.<id>`, into `directory`. */
const removeKey = (subject: string) => subject.split(':', 1).join();

function toFullSubject(subject: string, messaging: Messaging): string {
  const buckets = [
    [DIRECTORY_SUBJECT, messaging.directoryBucket],
    [PROJECTS_SUBJECT, messaging.projectsBucket],
  ] as const;
  const match = buckets.find(([prefix]) => subject.startsWith(prefix));
  return match ? `$KV.${match[1]}.${subject.slice(match[0].length)}` : messaging.subject(subject);
}
