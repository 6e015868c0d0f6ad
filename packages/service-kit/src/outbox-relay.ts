import type pg from 'pg';
import type { Logger } from './logger.ts';
import { ensureStream, type Messaging } from './messaging.ts';
import { DIRECTORY_SUBJECT } from './outbox.ts';
import type { Db } from './postgres.ts';

const RELAY_LOCK = 0x6f757462;
const BATCH = 500;
const POLL_MS = 1_000;

type Row = { id: number; subject: string; message_id: string; aggregate: string; payload: string };

export type Relay = {
  /** Looks at the outbox now; cheap, and calls that come while it is looking are folded into one more look. */
  wake(): void;
  close(): Promise<void>;
};

/**
 * Publishes what is committed. Of all pods of a service one relays at a time, held by an advisory lock on a connection of its
 * own, so that the order within an aggregate survives; the others wake it over NATS and take over when it goes.
 */
export function startRelay(service: string, db: Db, messaging: Messaging, log: Logger): Relay {
  const wakeSubject = messaging.subject(`outbox.${service}`);
  const signal = createSignal();
  const state = { leader: undefined as pg.PoolClient | undefined, closed: false };

  const wake = () => {
    if (state.leader) signal.set();
    else if (!messaging.connection.isClosed()) messaging.connection.publish(wakeSubject);
  };
  const subscription = messaging.connection.subscribe(wakeSubject, { callback: () => signal.set() });
  const run = async () => {
    while (!state.closed) {
      try {
        state.leader ??= await tryToLead(db, state);
        const more = state.leader ? await relayBatch(service, db, messaging) : false;
        if (!more) await signal.wait(POLL_MS);
      } catch (error) {
        messaging.knownStreams.clear();
        if (!state.closed) log.warn({ err: error }, 'the outbox waits: its events could not be published');
        await signal.wait(POLL_MS);
      }
    }
  };
  const running = run();
  db.onCommit(wake);

  return {
    wake,
    async close() {
      state.closed = true;
      signal.set();
      subscription.unsubscribe();
      await running;
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
  if (!subject.startsWith(DIRECTORY_SUBJECT)) return messaging.subject(subject);
  return `$KV.${messaging.directoryBucket}.${subject.slice(DIRECTORY_SUBJECT.length)}`;
}

/** A flag that can be waited for: set while nobody waits, it ends the next wait at once. */
function createSignal() {
  let raised = false;
  let release: (() => void) | undefined;
  return {
    set() {
      raised = true;
      release?.();
    },
    async wait(timeoutMs: number) {
      if (!raised) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, timeoutMs);
          release = () => {
            clearTimeout(timer);
            resolve();
          };
        });
      }
      raised = false;
      release = undefined;
    },
  };
}
