import { setTimeout as pause } from 'node:timers/promises';
import { StorageType, type StreamInfo } from '@nats-io/jetstream';
import pg from 'pg';
import { type Place, SERVICES, type Service } from './place/place.ts';

/** How long writes may wait for us at a time. */
const LOCK_MS = 150;
const ATTEMPTS = 200;
const LOCK_NOT_AVAILABLE = '55P03';

/** One moment of all databases and streams: docs/decisions/0031. */
export type Cut = {
  at: string;
  heldMs: number;
  attempts: number;
  /** Connections to each database that see it as it was at that moment, and in the time of UTC. */
  readers: ReadonlyMap<Service, pg.Client>;
  /** The streams as they were then, by name. */
  streams: ReadonlyMap<string, StreamInfo>;
  /** Events that were committed and not yet published. */
  waiting: ReadonlySet<string>;
  release(): Promise<void>;
};

/** A connection on which nothing is timed out: a backup takes as long as it takes. */
export async function connectDatabase(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000, keepAlive: true });
  // The statement under way tells of a connection that breaks.
  client.on('error', () => undefined);
  await client.connect();
  await client.query(
    "set statement_timeout = 0; set idle_in_transaction_session_timeout = 0; set timezone = 'UTC'; set lock_timeout = 0",
  );
  return client;
}

export async function connectAll({ databases }: Pick<Place, 'databases'>): Promise<Map<Service, pg.Client>> {
  const clients = await Promise.allSettled(SERVICES.map((name) => connectDatabase(databases[name])));
  const failed = clients.findIndex(({ status }) => status === 'rejected');
  const open = clients.flatMap((client) => (client.status === 'fulfilled' ? [client.value] : []));
  if (failed === -1) return new Map(SERVICES.map((name, index) => [name, open[index] as pg.Client]));
  await Promise.all(open.map((client) => client.end()));
  const { reason } = clients[failed] as PromiseRejectedResult;
  throw new Error(`The database of ${SERVICES[failed]} cannot be reached: ${reason.message}`, { cause: reason });
}

const endAll = (clients: ReadonlyMap<string, pg.Client>) =>
  Promise.all([...clients.values()].map((client) => client.end().catch(() => undefined)));

/**
 * Takes one moment in which no event is committed, nor removed as published, in any service: what has been published is in the streams up
 * to their last sequence, all else is a row of an outbox, and what consumers have done of it is in the same moment's rows.
 */
export async function takeCut(place: Place): Promise<Cut> {
  const holders = await connectAll(place);
  const readers = await connectAll(place).catch(async (error) => {
    await endAll(holders);
    throw error;
  });
  try {
    for (let attempts = 1; attempts <= ATTEMPTS; attempts += 1) {
      const began = performance.now();
      const taken = await tryCut(place, holders, readers);
      const heldMs = Math.round(performance.now() - began);
      if (!taken) {
        await pause(50 + Math.random() * 200);
        continue;
      }
      const waiting = await readWaiting(readers);
      const release = async () => void (await endAll(readers));
      return { ...taken, heldMs, attempts, readers, waiting, release };
    }
    throw new Error('No moment could be had in which no transaction holds an outbox for long. Try again later.');
  } catch (error) {
    await endAll(readers);
    throw error;
  } finally {
    await endAll(holders);
  }
}

type Clients = ReadonlyMap<Service, pg.Client>;

/** Undefined where somebody's transaction would have made others wait for us. */
async function tryCut(place: Place, holders: Clients, readers: Clients) {
  const all = (clients: Clients, sql: string) =>
    Promise.all([...clients.values()].map((client) => client.query<{ now: Date }>(sql)));
  const names = await nameStreams(place);
  await all(readers, 'begin isolation level repeatable read read only');
  await all(holders, `begin; set local lock_timeout = ${LOCK_MS}`);
  try {
    const locked = [...holders.values()].map((client) => client.query('lock table outbox in share mode'));
    const failed = (await Promise.allSettled(locked)).find((one) => one.status === 'rejected');
    if (failed?.reason instanceof pg.DatabaseError && failed.reason.code === LOCK_NOT_AVAILABLE) {
      await all(readers, 'rollback');
      return undefined;
    }
    if (failed) throw failed.reason;
    // The first statement takes the snapshot.
    const [moments, streams] = await Promise.all([
      all(readers, 'select clock_timestamp() as now'),
      readStreams(place, names),
    ]);
    const at = moments[0]?.rows[0]?.now ?? new Date();
    return { at: at.toISOString(), streams };
  } finally {
    await all(holders, 'rollback');
  }
}

async function nameStreams({ manager, prefix }: Place): Promise<string[]> {
  const names: string[] = [];
  for await (const name of manager.streams.names())
    if (name.startsWith(`${prefix}_`) || name.startsWith(`KV_${prefix}_`)) names.push(name);
  return names.sort();
}

/** What is kept in memory alone, such as leases, is worth nothing later. */
async function readStreams({ manager }: Place, names: readonly string[]): Promise<Map<string, StreamInfo>> {
  const infos = await Promise.all(names.map((name) => manager.streams.info(name)));
  const kept = infos.filter(({ config }) => config.storage !== StorageType.Memory);
  return new Map(kept.map((info) => [info.config.name, info]));
}

async function readWaiting(readers: Clients): Promise<Set<string>> {
  const waiting = [...readers.values()].map((reader) =>
    reader.query<{ message_id: string }>('select message_id from outbox'),
  );
  return new Set((await Promise.all(waiting)).flatMap(({ rows }) => rows.map(({ message_id }) => message_id)));
}
