import type { PollingLoop } from '@atrium/service-kit/process/polling-loop';
import type { PostgresService } from '@atrium/service-kit/service/service-definition';
import type { Express } from 'express';
import { assertDirectoryFresh } from './accounts/account-status.ts';
import type { Config } from './config.ts';
import type { Deps } from './deps.ts';
import { createKeyRing, type KeyRing } from './keys/key-ring.ts';
import { startResetLoop } from './passwords/reset-requests.ts';
import { retentionRules } from './retention.ts';
import { authRoutes } from './routes.ts';
import { deriveKeys } from './secrets/crypto.ts';
import { createPasswordHasher } from './secrets/password-hasher.ts';
import { createRefreshTokens } from './secrets/refresh-tokens.ts';
import { subscriptions } from './subscriptions.ts';

export const authService: PostgresService<Config> = {
  name: 'auth',
  migrations: new URL('../migrations', import.meta.url),
  create({ db, config, log, directory, revocations, securityLog }) {
    const keys = createKeyRing(db, deriveKeys(config, 'signing keys'), log);
    const refreshTokens = createRefreshTokens(deriveKeys(config, 'refresh tokens'));
    let resetLoop: PollingLoop | undefined;
    const stop = new AbortController();
    const wakeResetEmailLoop = () => resetLoop?.wake();
    const passwords = createPasswordHasher();
    const context = { db, directory, revocations, config, securityLog, log };
    const deps: Deps = { ...context, keys, refreshTokens, passwords, wakeResetEmailLoop };
    return {
      routes: authRoutes(deps),
      subscriptions,
      retentionRules: retentionRules(config),
      checks: [{ name: 'sign-in', essential: false, check: async () => assertDirectoryFresh(deps) }],
      keys: keys.verify,
      internal: (app) => serveInternalRoutes(app, keys),
      async onReady() {
        // A process can be stopped before it is ready, and nothing would stop a loop that starts after that.
        if (stop.signal.aborted) return;
        resetLoop = startResetLoop(deps, log);
        // Best effort: if the database is unavailable, the first sign-in creates the key.
        await keys.signer().catch((error) => log.warn({ err: error }, 'Failed to load signing keys at startup'));
      },
      async beforeShutdown() {
        stop.abort();
        await resetLoop?.close();
      },
    };
  },
};

/** Serves the key set, which the gateway does not expose. */
function serveInternalRoutes(app: Express, keys: KeyRing): void {
  app.get('/.well-known/jwks.json', async (_req, res) => {
    res.set('cache-control', 'max-age=300').json(await keys.publicKeys());
  });
}
