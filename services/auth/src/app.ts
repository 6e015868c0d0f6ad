import { sessionsEnded } from '@atrium/proto-events/events/users';
import type { Directory } from '@atrium/service-kit/directory';
import type { Db } from '@atrium/service-kit/postgres';
import type { Revocations } from '@atrium/service-kit/revocations';
import type { PostgresService } from '@atrium/service-kit/service-parts';
import { on, subscription } from '@atrium/service-kit/subscription';
import type { Express } from 'express';
import { accountRoutes } from './accounts/routes.ts';
import type { Config } from './config.ts';
import { deriveKey } from './derive-key.ts';
import { startHousekeeping } from './housekeeping.ts';
import { invitationRoutes } from './invitations/routes.ts';
import { createKeyRing, type KeyRing } from './keys/key-ring.ts';
import { createPasswordHasher, type PasswordHasher } from './passwords/password-hasher.ts';
import { removeEndedSessions } from './sessions/on-sessions-ended.ts';
import { createRefreshTokens, type RefreshTokens } from './sessions/refresh-tokens.ts';
import { sessionRoutes } from './sessions/routes.ts';

/** What the use cases of this service work with. */
export type Deps = {
  db: Db;
  directory: Directory;
  revocations: Revocations;
  config: Config;
  keys: KeyRing;
  passwords: PasswordHasher;
  refreshTokens: RefreshTokens;
};

/** The service: credentials, sessions, invitations and the keys that sign access tokens. */
export const authService: PostgresService<Config> = {
  name: 'auth',
  migrations: new URL('../migrations', import.meta.url),
  create({ db, config, log, directory, revocations }) {
    const keys = createKeyRing(db, deriveKey(config.KEY_ENCRYPTION_SECRET, 'signing keys'), log);
    const refreshTokens = createRefreshTokens(deriveKey(config.KEY_ENCRYPTION_SECRET, 'successors of refresh tokens'));
    const deps: Deps = { db, directory, revocations, config, keys, refreshTokens, passwords: createPasswordHasher() };
    let housekeeping: { close(): void } | undefined;
    return {
      routes: [...accountRoutes(deps), ...sessionRoutes(deps), ...invitationRoutes(deps)],
      subscriptions: [subscription({ name: 'ended-sessions', reactions: [on(sessionsEnded, removeEndedSessions)] })],
      keys: keys.verify,
      internal: (app) => serveInside(app, { config, keys }),
      async onReady() {
        // Made before anybody signs in; without a database for a moment, the first sign-in makes it.
        await keys.signer().catch((error) => log.warn({ err: error }, 'the signing key is not there yet'));
        housekeeping = startHousekeeping(db, log);
      },
      close: async () => housekeeping?.close(),
    };
  },
};

/** The key set, which the gateway does not expose, and whose word about a caller's address counts. */
function serveInside(app: Express, { config, keys }: Pick<Deps, 'config' | 'keys'>): void {
  app.set('trust proxy', config.TRUSTED_PROXIES);
  app.get('/.well-known/jwks.json', async (_req, res) => {
    res.set('cache-control', 'max-age=300').json(await keys.publicKeys());
  });
}
