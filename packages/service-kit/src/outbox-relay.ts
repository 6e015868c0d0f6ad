import type pg from 'pg';
import type { Logger } from './logger.ts';
import { ensureStream, type Messaging } from './messaging.ts';
import { DIRECTORY_SUBJECT, PROJECTS_SUBJECT } from './outbox.ts';
import type { Db } from './postgres.ts';
import { type Rounds, startRounds } from './rounds.ts';

const RELAY_LOCK = 0x6f757462;
const BATCH = 500;
const POLL_MS = 1_000;

type Row = { id: number; subject: string; message_id: string; aggregate: string; payload: string };

/**
 * Publishes what is committed. Of all pods of a service one relays at a time, held by an advisory lock on a connection of its
 * own, so that the order within an aggregate survives; the others wake it over NATS and take over when it goes. Waking it is cheap.
 */
export function startRelay(service: string, db: Db, messaging: Messaging, log: Logger): Rounds {
  const wakeSubject = messaging.subject(`outbox.${service}`);
  const state = { leader: undefined as pg.PoolClient | undefined };
  messaging.leadsRelay = () => state.leader !== undefined;

  const rounds = startRounds({
    what: 'the outbox',
    everyMs: POLL_MS,
    log,
    async round() {
      state.leader ??= await tryToLead(db, state);
      if (!state.leader) return false;
      try {
        return await relayBatch(service, db, messaging);
      } catch (error) {
        messaging.knownStreams.clear();
        throw error;
      }
    },
  });
  const wake = () => {
    if (state.leader) rounds.wake();
    else if (!messaging.connection.isClosed()) messaging.connection.publish(wakeSubject);
  };
  const subscription = messaging.connection.subscribe(wakeSubject, { callback: rounds.wake });
  db.onCommit(wake);

  return {
    wake,
    async close() {
      subscription.unsubscribe();
      await rounds.close();
      const leader = state.leader;
      state.leader = undefined;
      leader?.release(true);
    },
  };
}

async function tryToLead(db: Db, state: { leader: pg.PoolClient | undefined }): Promise<pg.PoolClient | undefined> {
  const client = await db.pool.connect();
  const { rows } = await client.query<{ led: boolean }>('select pg_try_advisory_lock($1) as led', [RELAY_LOCK]);
  if (!rows[0]?.led) {
    client.release();
    return undefined;
  }
  // The lock lives and dies with this connection: without it somebody else may lead.
  client.on('error', () => {
    if (state.leader !== client) return;
    state.leader = undefined;
    client.release(true);
  });
  return client;
}

/** Answers whether there may be more to publish. */
async function relayBatch(service: string, db: Db, messaging: Messaging): Promise<boolean> {
  const { rows } = await db.query<Row>({
    name: 'outbox-read',
    text: 'select id, subject, message_id, aggregate, payload from outbox order by id limit $1',
    values: [BATCH],
  });
  if (rows.length === 0) return false;
  await ensureStream(messaging, service);
  const chains = Map.groupBy(rows, (row) => row.aggregate);
  const results = await Promise.allSettled([...chains.values()].map((chain) => publishChain(chain, messaging)));
  const sent = results.flatMap((result) => (result.status === 'fulfilled' ? result.value.sent : []));
  if (sent.length > 0) await db.query('delete from outbox where id = any($1)', [sent]);
  const failure = results.find((result) => result.status === 'fulfilled' && result.value.error !== undefined);
  if (failure?.status === 'fulfilled') throw failure.value.error;
  return rows.length === BATCH;
}

/** One aggregate's rows, one after the other: the next goes only once the one before it is kept. */
async function publishChain(chain: Row[], messaging: Messaging): Promise<{ sent: number[]; error?: unknown }> {
  const sent: number[] = [];
  for (const row of chain) {
    try {
      await messaging.js.publish(fullSubject(row.subject, messaging), row.payload, { msgID: row.message_id });
      sent.push(row.id);
    } catch (error) {
      return { sent, error };
    }
  }
  return { sent };
}

function fullSubject(subject: string, messaging: Messaging): string {
  const buckets = [
    [DIRECTORY_SUBJECT, messaging.directoryBucket],
    [PROJECTS_SUBJECT, messaging.projectsBucket],
  ] as const;
  const found = buckets.find(([prefix]) => subject.startsWith(prefix));
  return found ? `$KV.${found[1]}.${subject.slice(found[0].length)}` : messaging.subject(subject);
}
