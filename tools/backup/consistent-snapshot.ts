import { setTimeout as pause } from 'node:timers/promises';
import type { StreamInfo } from '@nats-io/jetstream';
import pg from 'pg';
import { SERVICES, type Service } from './installation/databases.ts';
import type { Installation } from './installation/installation.ts';
import { isKept, listStreams, nameUsedStreams } from './jetstream/name-streams.ts';
import { type Connections, connectAll, endAll, LASTING } from './postgres/connections.ts';
import { findBegun } from './postgres/find-open-transactions.ts';

/** How long writes may wait for us to get the locks. */
const LOCK_MS = 150;
const ATTEMPTS = 200;
const LOCK_NOT_AVAILABLE = '55P03';
/** How long writes may wait for us at all. */
const HELD_MS = 2_000;

/** The server lets go by itself when it has not heard of us for so long: this process may be stopped, or its network gone. */
const BRIEF = `set local lock_timeout = ${LOCK_MS}; set local statement_timeout = ${HELD_MS};
  set local idle_in_transaction_session_timeout = ${HELD_MS}`;

/** One moment of all databases and streams: docs/decisions/0031. */
export type Cut = {
  at: string;
  heldMs: number;
  attempts: number;
  /** Connections to each database that see it as it was at that moment, and in the time of UTC. */
  readers: Connections;
  /** Services of which there is nothing yet. */
  notBegun: readonly Service[];
  /** The streams as they were then, by name. */
  streams: ReadonlyMap<string, StreamInfo>;
  /** Events that were committed and not yet published. */
  waiting: ReadonlySet<string>;
  release(): Promise<void>;
};

/**
 * Takes one moment in which no event is committed, nor removed as published, in any service: what has been published is in the streams up
 * to their last sequence, all else is a row of an outbox, and what consumers have done of it is in the same moment's rows. Throws a
 * sentence where that would have held writers for long.
 */
export async function takeCut(place: Installation): Promise<Cut> {
  const begun = await findBegun(place, await nameUsedStreams(place));
  const holders = await connectAll(place, begun);
  const readers = await connectAll(place, begun).catch(async (error) => {
    await endAll(holders);
    throw error;
  });
  try {
    const taken = await seekMoment(place, { holders, readers });
    const waiting = await readWaiting(readers);
    await endAll(holders);
    const notBegun = SERVICES.filter((service) => !begun.includes(service));
    return { ...taken, readers, notBegun, waiting, release: () => endAll(readers) };
  } catch (error) {
    await Promise.all([endAll(holders), endAll(readers)]);
    throw error;
  }
}

type Clients = { holders: Connections; readers: Connections };

async function seekMoment(place: Installation, clients: Clients) {
  for (let attempts = 1; attempts <= ATTEMPTS; attempts += 1) {
    const names = (await listStreams(place)).map(({ config }) => config.name);
    await all(clients.readers, `begin isolation level repeatable read read only; ${LASTING}`);
    const taken = await inTime(tryCut(place, names, clients));
    if (taken) return { ...taken, attempts };
    await pause(50 + Math.random() * 200);
  }
  throw new Error('No moment could be had in which no transaction holds an outbox for long. Try again later.');
}

const all = (clients: Connections, sql: string) =>
  Promise.all([...clients.values()].map((client) => client.query<{ now: Date }>(sql)));

async function inTime<T>(work: Promise<T>): Promise<T> {
  const timer = new AbortController();
  const late = pause(HELD_MS, undefined, { signal: timer.signal }).then(() => tookTooLong());
  try {
    return await Promise.race([work, late]);
  } finally {
    timer.abort();
  }
}

function tookTooLong(cause?: unknown): never {
  throw new Error(
    `The moment of the backup took longer than ${HELD_MS / 1_000} s and was given up, so that nobody waits longer to write: NATS, a database or this process is too slow. Try again when they have less to do.`,
    { cause },
  );
}

/** Undefined where somebody's transaction would have made others wait for us. What is held when this throws ends with its connections. */
async function tryCut(place: Installation, names: readonly string[], { holders, readers }: Clients) {
  const began = performance.now();
  await all(holders, `begin; ${BRIEF}`);
  if (!(await lockOutboxes(holders))) {
    await Promise.all([all(holders, 'rollback'), all(readers, 'rollback')]);
    return undefined;
  }
  // The first statement takes the snapshot.
  const [moments, streams] = await Promise.all([
    all(readers, 'select clock_timestamp() as now'),
    readStreams(place, names),
  ]);
  // A connection that can still roll back has held its lock up to here: one that the server gave up answers nothing.
  await all(holders, 'rollback').catch(tookTooLong);
  const at = moments[0]?.rows[0]?.now ?? new Date();
  return { at: at.toISOString(), streams, heldMs: Math.round(performance.now() - began) };
}

async function lockOutboxes(holders: Connections): Promise<boolean> {
  const locked = [...holders.values()].map((client) => client.query('lock table outbox in share mode'));
  const failed = (await Promise.allSettled(locked)).find((one) => one.status === 'rejected');
  if (!failed) return true;
  if (failed.reason instanceof pg.DatabaseError && failed.reason.code === LOCK_NOT_AVAILABLE) return false;
  throw failed.reason;
}

async function readStreams(place: Installation, names: readonly string[]): Promise<Map<string, StreamInfo>> {
  const infos = await Promise.all(names.map((name) => place.manager.streams.info(name)));
  return new Map(infos.filter((info) => isKept(info, place)).map((info) => [info.config.name, info]));
}

async function readWaiting(readers: Connections): Promise<Set<string>> {
  const waiting = [...readers.values()].map((reader) =>
    reader.query<{ message_id: string }>('select message_id from outbox'),
  );
  return new Set((await Promise.all(waiting)).flatMap(({ rows }) => rows.map(({ message_id }) => message_id)));
}
