import { z } from 'zod';
import type { Logger } from '../observability/logger.ts';
import { currentTraceparent, isTracing, TRACEPARENT, withSpan } from '../observability/tracing.ts';
import { endLease, takeLease } from '../postgres/lease.ts';
import type { Db } from '../postgres/postgres.ts';
import { type ClockReading, isWithin, readClocks } from '../process/clock-reading.ts';
import { crashPoint } from '../process/crash-point.ts';
import { newId } from '../process/new-id.ts';
import { type PollingLoop, startPollingLoop } from '../process/polling-loop.ts';
import { aggregateHeaders, type Messaging, requireStream } from './messaging.ts';
import { DIRECTORY_SUBJECT, PROJECTS_SUBJECT } from './outbox.ts';

const LEASE = 'relay';
const LEASE_SECONDS = 5;
const RENEW_MS = 1_000;
const HEADER_BYTES = 1_024;
const BATCH = 500;
/** Published sequentially: a tenth of a second. */
const MAX_ROWS_PER_AGGREGATE = 100;
const POLL_MS = 1_000;

type Row = { id: number; subject: string; message_id: string; aggregate: string; payload: string };
/** The pool of requests, and the relay's own connections, which never wait for requests. */
type Pools = { db: Db; own?: Db };
type Leadership = { holds: () => boolean };

/**
 * Publishes committed events. One pod of a service relays at a time, by a lease, which preserves the order within an
 * aggregate. Other pods notify it of commits over NATS, and check once a second whether it is still there.
 */
export function startRelay(service: string, { db, own = db }: Pools, messaging: Messaging, log: Logger): PollingLoop {
  const wakeSubject = messaging.subject(`outbox.${service}`);
  const holder = newId();
  // Counted from before the request: no other pod holds the lease for that long.
  let leadsSince: ClockReading | undefined;
  let renewAt = 0;
  let wakes: { unsubscribe(): void } | undefined;
  const leadership: Leadership = { holds: () => isWithin(leadsSince, LEASE_SECONDS * 1_000) };
  messaging.leadsRelay = leadership.holds;

  const lead = async () => {
    const requestedAt = readClocks();
    if (requestedAt.ticks < renewAt && leadership.holds()) return true;
    const led = await takeLease(own, LEASE, holder, LEASE_SECONDS);
    leadsSince = led ? requestedAt : undefined;
    renewAt = led ? requestedAt.ticks + RENEW_MS : 0;
    if (led) wakes ??= messaging.connection.subscribe(wakeSubject, { callback: loop.wake });
    else {
      wakes?.unsubscribe();
      wakes = undefined;
    }
    return led;
  };
  const loop = startPollingLoop({
    what: 'outbox',
    intervalMs: POLL_MS,
    log,
    async round() {
      if (!(await lead())) return false;
      try {
        return await relayBatch({ service, db: own, messaging, log, leadership });
      } catch (error) {
        messaging.knownStreams.clear();
        throw error;
      }
    },
  });
  const wake = () => {
    if (leadership.holds()) loop.wake();
    else if (!messaging.connection.isClosed()) messaging.connection.publish(wakeSubject);
  };
  db.onCommit(wake);

  return {
    wake,
    async close() {
      await loop.close();
      wakes?.unsubscribe();
      const held = leadership.holds();
      leadsSince = undefined;
      if (held) await endLease(own, LEASE, holder).catch(() => undefined);
    },
  };
}

type Batch = { service: string; db: Db; messaging: Messaging; log: Logger; leadership: Leadership };

async function relayBatch(batch: Batch): Promise<boolean> {
  const { service, db, messaging, log } = batch;
  const { rows, hasMore } = await readBatch(db);
  if (rows.length === 0) return false;
  crashPoint('after-commit-before-publish');
  await requireStream(messaging, service);
  const chains = Map.groupBy(rows, chainOf);
  const ends = await Promise.all([...chains.values()].map((chain) => publishChain(chain, batch)));
  const sent = ends.flatMap((end) => end.sent);
  if (sent.length > 0) crashPoint('after-publish-before-delete');
  if (sent.length > 0) await db.query('delete from outbox where id = any($1)', [sent]);
  for (const { row, reason } of ends.flatMap((end) => end.rejected)) {
    log.error({ outboxId: row.id, subject: row.subject, reason }, 'Outbox row rejected by NATS');
    await db.query('update outbox set rejected_at = now(), rejection = $2 where id = $1', [row.id, reason]);
  }
  const failed = ends.find((end) => 'error' in end);
  if (failed) throw failed.error;
  return hasMore;
}

/**
 * The oldest rows. For an aggregate with many, only the first few, and the next ones of all other aggregates: tens of
 * thousands of events of one user delay no others.
 */
async function readBatch(db: Db): Promise<{ rows: Row[]; hasMore: boolean }> {
  const oldest = await readRows(db, []);
  if (oldest.length < BATCH) return { rows: oldest, hasMore: false };
  const byAggregate = [...Map.groupBy(oldest, ({ aggregate }) => aggregate)];
  // Bucket values are never postponed, since later events must not precede them.
  const many = byAggregate.filter(([, ofOne]) => ofOne.length > MAX_ROWS_PER_AGGREGATE && !ofOne.some(isOfBucket));
  if (many.length === 0) return { rows: oldest, hasMore: true };
  const others = await readRows(
    db,
    many.map(([aggregate]) => aggregate),
  );
  const rows = [...many.flatMap(([, ofOne]) => ofOne.slice(0, MAX_ROWS_PER_AGGREGATE)), ...others];
  // In insertion order: a bucket value, which is an aggregate of its own, precedes the event that follows it.
  return { rows: rows.toSorted((a, b) => a.id - b.id), hasMore: true };
}

async function readRows(db: Db, without: string[]): Promise<Row[]> {
  const { rows } = await db.query<Row>({
    name: 'outbox-read-without',
    text: `select id, subject, message_id, aggregate, payload from outbox
           where rejected_at is null and aggregate <> all($2::text[]) order by id limit $1`,
    values: [BATCH, without],
  });
  return rows;
}

const BUCKETS = [DIRECTORY_SUBJECT, PROJECTS_SUBJECT];

/**
 * Bucket values share the order of the events of their entity: an event that was inserted after the value is
 * published after it. Derived from the subject, since these values are aggregates of their own.
 */
function chainOf(row: Row): string {
  const key = isOfBucket(row) && row.subject.slice(row.subject.lastIndexOf('.') + 1);
  return key || row.aggregate;
}

const isOfBucket = ({ subject }: Row) => BUCKETS.some((prefix) => subject.startsWith(prefix));

type End = { sent: number[]; rejected: { row: Row; reason: string }[]; error?: unknown };

/** Each row only after the previous one was acknowledged. */
async function publishChain(chain: Row[], { messaging, leadership }: Batch): Promise<End> {
  const end: End = { sent: [], rejected: [] };
  for (const row of chain) {
    // A process that was paused for longer than its lease may have a successor.
    if (!leadership.holds()) return { ...end, error: new Error('The outbox lease expired') };
    const size = Buffer.byteLength(row.payload);
    const maxPayload = messaging.connection.info?.max_payload ?? Number.POSITIVE_INFINITY;
    if (size > maxPayload - HEADER_BYTES) {
      end.rejected.push({ row, reason: `${size} bytes, of which NATS takes ${maxPayload}` });
      continue;
    }
    try {
      await publishTraced(row, (traceparent) => {
        const headers = aggregateHeaders(row.aggregate);
        if (traceparent !== undefined) headers.set(TRACEPARENT, traceparent);
        return messaging.js.publish(fullSubject(row.subject, messaging), row.payload, {
          msgID: row.message_id,
          headers,
        });
      });
      end.sent.push(row.id);
      if (row !== chain.at(-1)) crashPoint('in-a-chain-of-events');
    } catch (error) {
      return { ...end, error };
    }
  }
  return end;
}

const causeOf = z.object({ traceparent: z.string() });

/** With tracing, publishing belongs to the span that inserted the row. */
function publishTraced(
  { subject, payload }: Row,
  publish: (traceparent: string | undefined) => Promise<unknown>,
): Promise<unknown> {
  if (!isTracing()) return publish(undefined);
  const cause = causeOf.safeParse(JSON.parse(payload));
  if (!cause.success) return publish(undefined);
  const options = { name: `publish ${nameOf(subject)}`, kind: 'producer', parent: cause.data.traceparent } as const;
  return withSpan(options, () => publish(currentTraceparent()));
}

const nameOf = (subject: string) => subject.split(':', 1).join();

function fullSubject(subject: string, messaging: Messaging): string {
  const buckets = [
    [DIRECTORY_SUBJECT, messaging.directoryBucket],
    [PROJECTS_SUBJECT, messaging.projectsBucket],
  ] as const;
  const found = buckets.find(([prefix]) => subject.startsWith(prefix));
  return found ? `$KV.${found[1]}.${subject.slice(found[0].length)}` : messaging.subject(subject);
}
