import type { JWTVerifyGetKey } from 'jose';
import type { BaseConfig } from '../config/env.ts';
import { createDirectory } from '../directory/directory.ts';
import { createProjectDirectory } from '../directory/project-directory.ts';
import { createRevocations } from '../directory/revocations.ts';
import { createTokenVerifier, remoteKeys } from '../http/authenticate.ts';
import { createSecurityLog, type StoreSecurityRecord } from '../http/security-log.ts';
import { type Messaging, requireStream } from '../messaging/messaging.ts';
import type { Logger } from '../observability/logger.ts';
import { createMetrics } from '../observability/metrics.ts';
import type { ServiceContext } from './service-definition.ts';

export type Overrides = {
  keys?: JWTVerifyGetKey;
  /** How long a starting service waits for the signing keys of the auth service before it is ready. */
  warmUpMs?: number;
  /** Event-loop delay beyond which requests are shed, in milliseconds. */
  overloadMs?: number;
};

/** Retries soon, since no one can be authenticated without keys. */
const KEY_FETCH = { timeoutMs: 3_000, retryAfterMs: 1_000 };

/** Creates the context of a service before its store and NATS are available. */
export function createServiceContext<C extends BaseConfig>(config: C, overrides: Overrides, log: Logger, name: string) {
  const projects = createProjectDirectory();
  const directory = createDirectory(projects);
  const revocations = createRevocations();
  const remoteKeySet = config.AUTH_JWKS_URL ? remoteKeys(config.AUTH_JWKS_URL, KEY_FETCH) : undefined;
  let keys: JWTVerifyGetKey | undefined = overrides.keys ?? remoteKeySet;
  const verifier = createTokenVerifier({
    keys: (header, token) => {
      if (!keys) throw new Error('No key set is configured');
      return keys(header, token);
    },
    directory,
    revocations,
  });
  const { promise: messaging, resolve } = Promise.withResolvers<Messaging>();
  let connectedMessaging: Messaging | undefined;
  const metrics = createMetrics(name);
  let storeSecurityRecord: StoreSecurityRecord | undefined;
  const securityLog = createSecurityLog({
    service: name,
    log,
    messaging,
    getSecurityRecordStore: () => storeSecurityRecord,
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
    setKeys(ownKeys: JWTVerifyGetKey | undefined) {
      keys = ownKeys ?? keys;
    },
    setSecurityRecordStore(store: StoreSecurityRecord | undefined) {
      storeSecurityRecord = store;
    },
    /** Does nothing if the keys come from elsewhere. */
    loadKeys: async () => {
      if (keys === remoteKeySet) await remoteKeySet?.load();
    },
    resolveMessaging(value: Messaging) {
      connectedMessaging = value;
      resolve(value);
    },
    checkConnection: async () => {
      if (!connectedMessaging) throw new Error('not connected');
      await connectedMessaging.connection.flush();
      await requireStream(connectedMessaging, connectedMessaging.service);
    },
  };
}
