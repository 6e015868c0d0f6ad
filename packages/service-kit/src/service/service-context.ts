import type { JWTVerifyGetKey } from 'jose';
import type { BaseConfig } from '../config/env.ts';
import { createDirectory } from '../directory/directory.ts';
import { createProjectDirectory } from '../directory/project-directory.ts';
import { createRevocations } from '../directory/revocations.ts';
import { createTokenVerifier, remoteKeys } from '../http/authenticate.ts';
import { createSecurityLog, type StoreRecord } from '../http/security-log.ts';
import { type Messaging, requireStream } from '../messaging/messaging.ts';
import type { Logger } from '../observability/logger.ts';
import { createMetrics } from '../observability/metrics.ts';
import type { ServiceContext } from './service-definition.ts';

export type Overrides = {
  keys?: JWTVerifyGetKey;
  /** How long a starting service waits for the keys of auth before it is ready. */
  warmUpMs?: number;
  /** Event-loop delay beyond which requests are shed, in milliseconds. */
  overloadMs?: number;
};

/** Without keys no one can be authenticated, so they are awaited and soon refetched. */
const KEY_FETCH = { timeoutMs: 3_000, retryAfterMs: 1_000 };

/** The context of a service before its store and NATS are available: both come later. */
export function createServiceContext<C extends BaseConfig>(config: C, overrides: Overrides, log: Logger, name: string) {
  const directory = createDirectory();
  const projects = createProjectDirectory();
  const revocations = createRevocations();
  const remote = config.AUTH_JWKS_URL ? remoteKeys(config.AUTH_JWKS_URL, KEY_FETCH) : undefined;
  let keys: JWTVerifyGetKey | undefined = overrides.keys ?? remote;
  const verifier = createTokenVerifier({
    keys: (header, token) => {
      if (!keys) throw new Error('No key set is configured');
      return keys(header, token);
    },
    directory,
    revocations,
  });
  const { promise: messaging, resolve } = Promise.withResolvers<Messaging>();
  let live: Messaging | undefined;
  const metrics = createMetrics(name);
  let storeRecord: StoreRecord | undefined;
  const securityLog = createSecurityLog({
    service: name,
    log,
    messaging,
    getStore: () => storeRecord,
    onDropped: () => metrics.securityRecordsDropped.inc(),
  });
  const context: ServiceContext<C> = {
    config,
    log,
    directory,
    projects,
    revocations,
    verifier,
    metrics,
    messaging,
    securityLog,
  };
  return {
    context,
    useKeys(own: JWTVerifyGetKey | undefined) {
      keys = own ?? keys;
    },
    useRecordStore(store: StoreRecord | undefined) {
      storeRecord = store;
    },
    /** Does nothing if the keys come from elsewhere. */
    loadKeys: async () => {
      if (keys === remote) await remote?.load();
    },
    resolveMessaging(value: Messaging) {
      live = value;
      resolve(value);
    },
    connected: async () => {
      if (!live) throw new Error('not connected');
      await live.connection.flush();
      await requireStream(live, live.service);
    },
  };
}
