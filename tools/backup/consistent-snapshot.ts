import { setTimeout as delay } from 'node:timers/promises';
import type { StreamInfo } from '@nats-io/jetstream';
import pg from 'pg';
import { SERVICES, type Service } from './installation/databases.ts';
import type { Installation } from './installation/installation.ts';
import { isBackedUp, listStreams, listUsedStreamNames } from './jetstream/list-streams.ts';
import {
  type Connections,
  connectAll,
  endAll,
  findInitializedServices,
  LONG_TRANSACTION,
} from './postgres/connections.ts';

const LOCK_TIMEOUT_MS = 150;
const ATTEMPTS = 200;
const LOCK_NOT_AVAILABLE = '55P03';
const MAX_LOCKED_MS = 2_000;

/** PostgreSQL releases the locks on its own if this process stops or its network fails. */
const SHORT_TIMEOUTS = `set local lock_timeout = ${LOCK_TIMEOUT_MS}; set local statement_timeout = ${MAX_LOCKED_MS};
  set local idle_in_transaction_session_timeout = ${MAX_LOCKED_MS}`;

/** See docs/decisions/0031. */
export type ConsistentSnapshot = {
  at: string;
  heldMs: number;
  attempts: number;
  readers: Connections;
  uninitialized: readonly Service[];
  streams: ReadonlyMap<string, StreamInfo>;
  /** Ids of the events that were still in an outbox. */
  pendingEventIds: ReadonlySet<string>;
  release(): Promise<void>;
};

/**
 * While this runs, no service commits an event or removes a published one. Published events are in the streams up to
 * their last sequence, all others are outbox rows, and the rows written by consumers belong to the same point in time.
 * Throws if writers would be blocked for too long.
 */
export async function takeConsistentSnapshot(installation: Installation): Promise<ConsistentSnapshot> {
  const initialized = await findInitializedServices(installation, await listUsedStreamNames(installation));
  const holders = await connectAll(installation, initialized);
  const readers = await connectAll(installation, initialized).catch(async (error) => {
    await endAll(holders);
    throw error;
  });
  try {
    const snapshot = await retrySnapshot(installation, { holders, readers });
    const pendingEventIds = await readPendingEventIds(readers);
    await endAll(holders);
    const uninitialized = SERVICES.filter((service) => !initialized.includes(service));
    return { ...snapshot, readers, uninitialized, pendingEventIds, release: () => endAll(readers) };
  } catch (error) {
    await Promise.all([endAll(holders), endAll(readers)]);
    throw error;
  }
}

type Clients = { holders: Connections; readers: Connections };

async function retrySnapshot(installation: Installation, clients: Clients) {
  for (let attempts = 1; attempts <= ATTEMPTS; attempts += 1) {
    const names = (await listStreams(installation)).map(({ config }) => config.name);
    await queryAll(clients.readers, `begin isolation level repeatable read read only; ${LONG_TRANSACTION}`);
    const snapshot = await withTimeout(trySnapshot(installation, names, clients));
    if (snapshot) return { ...snapshot, attempts };
    await delay(50 + Math.random() * 200);
  }
  throw new Error('Long transactions kept the outbox tables locked. Try again later.');
}

const queryAll = (clients: Connections, sql: string) =>
  Promise.all([...clients.values()].map((client) => client.query<{ now: Date }>(sql)));

async function withTimeout<T>(work: Promise<T>): Promise<T> {
  const timer = new AbortController();
  const timeout = delay(MAX_LOCKED_MS, undefined, { signal: timer.signal }).then(() => throwTimeout());
  try {
    return await Promise.race([work, timeout]);
  } finally {
    timer.abort();
  }
}

function throwTimeout(cause?: unknown): never {
  throw new Error(
    `The snapshot took longer than ${MAX_LOCKED_MS / 1_000} s and was abandoned, because it blocks writes: NATS, a database, or this process is too slow. Try again under less load.`,
    { cause },
  );
}

/** Returns undefined if another transaction holds an outbox. When this throws, the locks end with their connections. */
async function trySnapshot(installation: Installation, names: readonly string[], { holders, readers }: Clients) {
  const startedAt = performance.now();
  await queryAll(holders, `begin; ${SHORT_TIMEOUTS}`);
  if (!(await lockOutboxes(holders))) {
    await Promise.all([queryAll(holders, 'rollback'), queryAll(readers, 'rollback')]);
    return undefined;
  }
  // The first statement of a repeatable-read transaction takes its snapshot.
  const [times, streams] = await Promise.all([
    queryAll(readers, 'select clock_timestamp() as now'),
    readStreams(installation, names),
  ]);
  // A successful rollback proves that the lock was held until now: the server may have ended the connection.
  await queryAll(holders, 'rollback').catch(throwTimeout);
  const at = times[0]?.rows[0]?.now ?? new Date();
  return { at: at.toISOString(), streams, heldMs: Math.round(performance.now() - startedAt) };
}

async function lockOutboxes(holders: Connections): Promise<boolean> {
  const lockRequests = [...holders.values()].map((client) => client.query('lock table outbox in share mode'));
  const failed = (await Promise.allSettled(lockRequests)).find(({ status }) => status === 'rejected');
  if (failed?.status !== 'rejected') return true;
  if (failed.reason instanceof pg.DatabaseError && failed.reason.code === LOCK_NOT_AVAILABLE) return false;
  throw failed.reason;
}

async function readStreams(installation: Installation, names: readonly string[]): Promise<Map<string, StreamInfo>> {
  const infos = await Promise.all(names.map((name) => installation.manager.streams.info(name)));
  return new Map(infos.filter(isBackedUp).map((info) => [info.config.name, info]));
}

async function readPendingEventIds(readers: Connections): Promise<Set<string>> {
  const queries = [...readers.values()].map((reader) =>
    reader.query<{ message_id: string }>('select message_id from outbox'),
  );
  return new Set((await Promise.all(queries)).flatMap(({ rows }) => rows.map(({ message_id }) => message_id)));
}
