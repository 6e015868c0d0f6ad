import { createSecurityLog } from '@atrium/service-kit/http/security-log';
import { createLogger } from '@atrium/service-kit/observability/logger';
import { createDb } from '@atrium/service-kit/postgres/postgres';
import { newId } from '@atrium/service-kit/process/new-id';
import { waitFor } from '@atrium/test-kit/wait-for';
import { expect, it } from '@jest/globals';
import { createRefreshTokens } from '../src/secrets/refresh-tokens.ts';
import { openSession } from '../src/sessions/open-session.ts';
import { lockActiveSession, renewSession } from '../src/sessions/session-repository.ts';
import { createFirstToken, getNextToken } from '../src/sessions/session-tokens.ts';
import { startWithAdmin } from './factories.ts';

const { service, admin } = await startWithAdmin();

const SESSIONS = 100;
const RENEWALS = 10;
const LIFETIME = { idleDays: 30, maxDays: 180 };
const CLIENT = { device: 'Firefox on Windows', address: '203.0.113.200' };

it('a refresh updates the session row in place, without index growth', async () => {
  const tokens = createRefreshTokens([new Uint8Array(32).fill(1)]);
  const log = createLogger('test', 'silent');
  const securityLog = createSecurityLog({ service: 'auth', log, messaging: new Promise(() => undefined) });
  const db = createDb(service.env.DATABASE_URL ?? '', 2, log);
  try {
    for (let count = 0; count < SESSIONS; count += 1) {
      const row = { id: newId(), userId: admin.user._id, email: admin.user.email, startedAt: new Date() };
      const firstToken = createFirstToken(tokens, row.id);
      const tokenPair = { accessToken: 'none', refreshToken: firstToken.token, device: 'a device of the test' };
      await openSession({ securityLog }, db, {
        ...row,
        client: CLIENT,
        lifetime: LIFETIME,
        tokenState: firstToken.state,
        tokens: tokenPair,
      });
      for (let n = 0, { token } = firstToken; n < RENEWALS; n += 1) {
        token = await db.transaction(async (tx) => {
          const session = await lockActiveSession(tx, row.id, LIFETIME);
          const nextToken = session && getNextToken(tokens, { token, session });
          if (!nextToken || nextToken === 'reused' || !nextToken.state) throw new Error('Session has no next token');
          await renewSession(tx, row.id, { client: CLIENT, lifetime: LIFETIME, token: nextToken.state });
          return nextToken.token;
        });
      }
    }
  } finally {
    // Statistics are flushed when the connection closes.
    await db.pool.end();
  }
  const statistics = await waitFor(
    async () => {
      const [row] = await service.query(
        `select n_tup_upd::int as renewed, n_tup_hot_upd::int as in_place from pg_stat_user_tables where relname = 'sessions'`,
      );
      return Number(row?.renewed) >= SESSIONS * RENEWALS ? row : undefined;
    },
    { description: 'the statistics' },
  );
  expect(Number(statistics.in_place) / Number(statistics.renewed)).toBeGreaterThan(0.99);
});
