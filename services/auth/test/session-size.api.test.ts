import { createLogger } from '@atrium/service-kit/logger';
import { newId } from '@atrium/service-kit/new-id';
import { createDb } from '@atrium/service-kit/postgres';
import { describe, expect, it } from '@jest/globals';
import { firstToken, nextToken } from '../src/sessions/next-token.ts';
import { createRefreshTokens } from '../src/sessions/refresh-tokens.ts';
import { holdSession, insertSession, renewSession } from '../src/sessions/session-repository.ts';
import { startWithAdmin } from './factories.ts';

const { service, admin } = await startWithAdmin();

const SESSIONS = 400;
const RENEWALS = 20;
const LIFETIME = { idleDays: 30, mostDays: 180 };
const ORIGIN = { device: 'Firefox on Windows', address: '203.0.113.200' };
const MB = 1024 * 1024;

describe('the rows of sessions', () => {
  it('stay in place however often they are renewed: 100,000 people fit in 50 MB', async () => {
    const tokens = createRefreshTokens(new Uint8Array(32).fill(1), new Uint8Array(32).fill(2));
    const db = createDb(service.env.DATABASE_URL ?? '', 4, createLogger('test', 'silent'));
    try {
      await Promise.all(
        Array.from({ length: SESSIONS }, async () => {
          const row = { id: newId(), user_id: admin.user._id, created_at: new Date() };
          const first = firstToken(tokens, row.id);
          await insertSession(db, { ...row, ...ORIGIN, ...first.state }, LIFETIME);
          for (let n = 0, { token } = first; n < RENEWALS; n++) {
            token = await db.transaction(async (tx) => {
              const session = await holdSession(tx, row.id, LIFETIME);
              const next = session && (await nextToken(tokens, tx, { token, session }));
              if (!next || next === 'spent' || !next.state) throw new Error('a session did not go on');
              await renewSession(tx, row.id, { origin: ORIGIN, lifetime: LIFETIME, token: next.state });
              return next.token;
            });
          }
        }),
      );
      const { rows } = await db.query<{ bytes: number; number: number }>(
        `select pg_total_relation_size('sessions')::float8 as bytes, min(token_number) as number
         from sessions where address = $1`,
        [ORIGIN.address],
      );
      expect(rows[0]?.number).toBe(RENEWALS);
      expect(((rows[0]?.bytes ?? Number.POSITIVE_INFINITY) / SESSIONS) * 100_000).toBeLessThan(50 * MB);
    } finally {
      await db.pool.end();
    }
  });
});
