import { createRefreshTokens } from '@atrium/auth/secrets/refresh-tokens';
import { lockActiveSession, renewSession } from '@atrium/auth/sessions/session-repository';
import { createFirstToken, getNextToken } from '@atrium/auth/sessions/session-tokens';
import { createLogger } from '@atrium/service-kit/observability/logger';
import { migrate } from '@atrium/service-kit/postgres/migrate';
import { createDb, type Db } from '@atrium/service-kit/postgres/postgres';
import type { Figure } from '../figures.ts';
import type { LoadEnvironment } from '../load-environment.ts';

const USERS = 100_000;
/** Refreshes per session. After one refresh, the page of each row has the free space that later refreshes reuse. */
const REFRESHES = 1;
const CONCURRENCY = 8;
const LIFETIME = { idleDays: 30, maxDays: 180 };
const MIGRATIONS = new URL('../../../services/auth/migrations/', import.meta.url);

/** Measures the database size of the sessions of 100,000 users after repeated refreshes. */
export async function benchSessions(environment: LoadEnvironment): Promise<Figure[]> {
  const url = environment.databaseUrl('auth');
  await migrate(url, MIGRATIONS);
  const db = createDb(url, CONCURRENCY, createLogger('bench', 'warn'));
  try {
    environment.print(`  opening ${USERS} sessions …`);
    await openSessions(db);
    environment.print(`  refreshing each ${REFRESHES} times …`);
    const startedAt = performance.now();
    for (let round = 0; round < REFRESHES; round += 1) await refreshAll(db);
    const perSecond = (REFRESHES * USERS) / ((performance.now() - startedAt) / 1000);
    const size = async (table: string) => {
      const { rows } = await db.query<{ bytes: number }>('select pg_total_relation_size($1)::float8 as bytes', [table]);
      return (rows[0]?.bytes ?? Number.NaN) / 1_000_000;
    };
    return [
      {
        name: '100,000 sessions, refreshed repeatedly',
        value: await size('sessions'),
        unit: ' MB',
        limit: 50,
        sense: 'at most',
        detail: `with indexes; ${perSecond.toFixed(0)} refreshes per second directly in the database`,
      },
    ];
  } finally {
    await db.pool.end();
  }
}

const tokens = createRefreshTokens([new Uint8Array(32).fill(1)]);
const DEVICES = ['Firefox on Windows', 'Chrome on macOS', 'Edge on Windows', 'Safari on iPhone'];

/** Opens sessions as real sign-ins do: one device each, with ids in random order. */
async function openSessions(db: Db): Promise<void> {
  await db.query(
    `insert into accounts (id, email, password_hash, state, first_name, last_name, role, activated_at)
     select left(md5('account ' || n), 24), 'person' || n || '@example.org', 'x', 'active', 'Person', n::text, 'member', now()
     from generate_series(1, $1::int) n`,
    [USERS],
  );
  await db.query(
    `insert into sessions (id, user_id, created_at, expires_at, device, address, token_seed, token_hash)
     select to_hex(extract(epoch from now())::bigint - n) || left(md5(random()::text), 16), id, now(), now() + interval '30 days',
       ($1::text[])[1 + n % cardinality($1::text[])], '198.51.100.' || n % 250, decode(md5(id), 'hex'), sha256(id::bytea)
     from (select id, row_number() over () as n from accounts) account`,
    [DEVICES],
  );
}

async function refreshAll(db: Db): Promise<void> {
  const { rows } = await db.query<{ id: string }>(
    'select id from sessions order by md5(id || clock_timestamp()::text)',
  );
  const remainingIds = rows.map(({ id }) => id);
  const worker = async () => {
    for (let id = remainingIds.pop(); id !== undefined; id = remainingIds.pop()) await refreshOne(db, id);
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, worker));
}

async function refreshOne(db: Db, id: string): Promise<void> {
  await db.transaction(async (tx) => {
    const session = await lockActiveSession(tx, id, LIFETIME);
    if (!session) throw new Error('Session not found');
    const token = tokens.create({ id, token_seed: session.token_seed }, session.token_number);
    const next = getNextToken(tokens, { token, session }) ?? createFirstToken(tokens, id);
    if (next === 'reused' || !next.state) throw new Error('Session was not refreshed');
    const origin = { device: null, address: null };
    await renewSession(tx, id, { client: origin, lifetime: LIFETIME, token: next.state });
  });
}
