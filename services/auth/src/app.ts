import { emailDelivered } from '@atrium/proto-events/events/notifications';
import { sessionsEnded, userDeleted } from '@atrium/proto-events/events/users';
import { on, subscription } from '@atrium/service-kit/messaging/subscription';
import type { PollingLoop } from '@atrium/service-kit/process/polling-loop';
import type { PostgresService } from '@atrium/service-kit/service/service-definition';
import type { Express } from 'express';
import { removeAccount } from './accounts/on-user-deleted.ts';
import { accountRoutes } from './accounts/routes.ts';
import type { Config } from './config.ts';
import type { Deps } from './deps.ts';
import { deriveKeys } from './derive-key.ts';
import { assertDirectoryFresh } from './directory-freshness.ts';
import { recordDelivery } from './invitations/on-mail-delivered.ts';
import { invitationRoutes } from './invitations/routes.ts';
import { createKeyRing, type KeyRing } from './keys/key-ring.ts';
import { createPasswordHasher } from './passwords/password-hasher.ts';
import { startResetLoop } from './passwords/process-reset-requests.ts';
import { passwordRoutes } from './passwords/routes.ts';
import { retentionRules } from './retention.ts';
import { removeEndedSessions } from './sessions/on-sessions-ended.ts';
import { createRefreshTokens } from './sessions/refresh-tokens.ts';
import { sessionRoutes } from './sessions/routes.ts';

export const authService: PostgresService<Config> = {
  name: 'auth',
  migrations: new URL('../migrations', import.meta.url),
  create({ db, config, log, directory, revocations, securityLog }) {
    const keys = createKeyRing(db, deriveKeys(config, 'signing keys'), log);
    const refreshTokens = createRefreshTokens(deriveKeys(config, 'refresh tokens'));
    let resets: PollingLoop | undefined;
    const stopping = new AbortController();
    const wakeResets = () => resets?.wake();
    const passwords = createPasswordHasher();
    const kit = { db, directory, revocations, config, securityLog, log };
    const deps: Deps = { ...kit, keys, refreshTokens, passwords, wakeResets };
    return {
      routes: [...accountRoutes(deps), ...sessionRoutes(deps), ...passwordRoutes(deps), ...invitationRoutes(deps)],
      subscriptions,
      retentionRules: retentionRules(config),
      checks: [{ name: 'sign-in', essential: false, check: async () => assertDirectoryFresh(deps) }],
      keys: keys.verify,
      internal: (app) => serveInside(app, keys),
      async onReady() {
        // A process can be stopped before it is ready; whatever starts after that would never be stopped.
        if (stopping.signal.aborted) return;
        resets = startResetLoop(deps, log);
        // Best effort: if the database is unavailable, the first sign-in creates the key.
        await keys.signer().catch((error) => log.warn({ err: error }, 'Failed to load signing keys at startup'));
      },
      async close() {
        stopping.abort();
        await resets?.close();
      },
    };
  },
};

const subscriptions = [
  subscription({
    name: 'ended-sessions',
    from: 'all',
    reactions: [on(sessionsEnded, removeEndedSessions), on(userDeleted, removeAccount)],
  }),
  subscription({ name: 'deliveries', from: 'all', reactions: [on(emailDelivered, recordDelivery)] }),
];

/** The gateway does not expose the key set. */
function serveInside(app: Express, keys: KeyRing): void {
  app.get('/.well-known/jwks.json', async (_req, res) => {
    res.set('cache-control', 'max-age=300').json(await keys.publicKeys());
  });
}
