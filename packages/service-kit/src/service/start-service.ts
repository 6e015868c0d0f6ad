import { setTimeout as delay } from 'node:timers/promises';
import { canSubscribe } from '@atrium/proto-events/nats-users';
import type { BaseConfig, PostgresConfig } from '../config/env.ts';
import type { Directory } from '../directory/directory.ts';
import type { ProjectDirectory } from '../directory/project-directory.ts';
import { createHttpApp } from '../http/http-app.ts';
import { watchOverload } from '../http/overload.ts';
import { readNatsAccess } from '../messaging/nats-access.ts';
import { insertRow, type OutboxRow } from '../messaging/outbox.ts';
import { createLogger, type Logger } from '../observability/logger.ts';
import { startTracing } from '../observability/tracing.ts';
import { startHousekeeping } from '../postgres/housekeeping.ts';
import { createDb, type Db } from '../postgres/postgres.ts';
import { armCrashPoints } from '../process/crash-point.ts';
import { createHealth, type HealthCheck, type HealthReport } from '../process/health.ts';
import { closeServer, createBoundedServer, listen, localUrl } from '../process/http-server.ts';
import { createLatch, type Latch } from '../process/latch.ts';
import type { PollingLoop } from '../process/polling-loop.ts';
import { retryUntilDone, warmUp } from '../process/retry.ts';
import { createServiceContext, type Overrides } from './service-context.ts';
import type {
  PostgresService,
  ServiceContext,
  ServiceDefinition,
  ServiceWithoutPostgres,
} from './service-definition.ts';
import { registerServiceMetrics } from './service-metrics.ts';
import { startMessaging } from './start-messaging.ts';

export type RunningService = {
  url: string;
  port: number;
  log: Logger;
  directory: Directory;
  projects: ProjectDirectory;
  close(): Promise<void>;
};

/** Default time for a request to arrive. It suffices, since the gateway forwards complete requests. */
const MAX_REQUEST_MS = 10_000;
/**
 * Closes connections regularly, since clusters balance connections rather than requests, and newer pods need a share.
 */
const REQUESTS_PER_CONNECTION = 1_000;

/**
 * Connections in addition to `DATABASE_POOL_SIZE`, for the relay, its lease, housekeeping, and the health check of
 * PostgreSQL. Requests must not delay the events they committed, and a wave of slow requests must not make all pods of
 * a service unavailable at the same time.
 */
const BACKGROUND_CONNECTIONS = 2;

const toSecurityRecordStore = (db: Db) => async (row: OutboxRow) => {
  await insertRow(db, row);
  db.notifyCommitted();
};

type State = {
  hasCaughtUp: boolean;
  isStopping: boolean;
  /** A time of `performance.now()`. */
  unavailableUntil: number;
};

/** Exceeds the check interval of any load balancer. */
const UNAVAILABLE_HOLD_MS = 30_000;

const STOPPING: HealthReport = { status: 'unavailable', parts: { process: 'unavailable' } };

/**
 * Starts a service: probes respond immediately, the schema is migrated as soon as the database is available, and
 * everything that needs NATS starts once NATS is available. The service is ready once the database is reachable, the
 * directory has caught up, and tokens can be verified. An unavailable auth service delays readiness by only a few seconds.
 */
export async function startService<C extends PostgresConfig>(
  service: PostgresService<C>,
  config: C,
  overrides?: Overrides,
): Promise<RunningService>;
export async function startService<C extends BaseConfig>(
  service: ServiceWithoutPostgres<C>,
  config: C,
  overrides?: Overrides,
): Promise<RunningService>;
export async function startService(
  service: PostgresService<PostgresConfig> | ServiceWithoutPostgres<BaseConfig>,
  config: PostgresConfig,
  overrides: Overrides = {},
): Promise<RunningService> {
  // Validates the configuration now, since the NATS connection starts in the background.
  readNatsAccess(config, service.name);
  const log = createLogger(service.name, config.LOG_LEVEL);
  const tracing = await startTracing(service.name, config);
  armCrashPoints(config.CRASH_POINTS_DIR, log);
  const base = createServiceContext(config, overrides, log, service.name);
  const db = service.migrations && createDb(config.DATABASE_URL, config.DATABASE_POOL_SIZE, log);
  const backgroundDb = db && createDb(config.DATABASE_URL, BACKGROUND_CONNECTIONS, log);
  const definition = await createDefinition(service, base.context, db);
  assertListedSubscriptions(service.name, definition);
  base.setKeys(definition.keys);
  base.setSecurityRecordStore(db ? toSecurityRecordStore(db) : definition.storeSecurityRecord);

  const overload = watchOverload(overrides.overloadMs);
  const schemaReady = db && createLatch();
  const state: State = { hasCaughtUp: false, isStopping: false, unavailableUntil: 0 };
  const checks = [
    ...createCoreChecks({ state, schemaReady, db: backgroundDb, checkConnection: base.checkConnection }),
    ...(definition.checks ?? []),
  ];
  const health = recordHealth(state, createHealth(checks));
  registerServiceMetrics(service.name, { context: base.context, db, backgroundDb, definition, health });
  const app = createHttpApp({
    routes: definition.routes,
    verifier: base.context.verifier,
    health,
    log,
    metrics: base.context.metrics,
    overloaded: overload.overloaded,
    schemaReady,
    securityLog: base.context.securityLog,
    trustedProxies: config.TRUSTED_PROXIES,
    ...(definition.internal && { internal: definition.internal }),
  });
  const requestMs = definition.maxRequestMs ?? MAX_REQUEST_MS;
  const server = createBoundedServer(app, {
    requestMs,
    headersMs: Math.min(requestMs, MAX_REQUEST_MS),
    isDraining: () => state.isStopping || performance.now() < state.unavailableUntil,
  });
  server.maxRequestsPerSocket = REQUESTS_PER_CONNECTION;
  definition.attach?.(server);
  const port = await listen(server, config.PORT, config.HOST);
  const background = startBackground({
    service,
    config,
    base,
    definition,
    db,
    backgroundDb,
    schemaReady,
    state,
    overrides,
  });

  return {
    url: localUrl(config.HOST, port),
    port,
    log,
    directory: base.context.directory,
    projects: base.context.projects,
    async close() {
      // Load balancers must have seen the unready state before the port closes.
      state.isStopping = true;
      if (config.DRAIN_SECONDS > 0) await delay(config.DRAIN_SECONDS * 1000);
      background.stop();
      overload.close();
      await definition.beforeShutdown?.();
      await closeServer(server, config);
      await base.context.securityLog.close();
      await background.close();
      await definition.afterShutdown?.();
      await db?.pool.end();
      await tracing.close();
    },
  };
}

type Background = {
  service: PostgresService<PostgresConfig> | ServiceWithoutPostgres<BaseConfig>;
  config: PostgresConfig;
  base: ReturnType<typeof createServiceContext<PostgresConfig>>;
  definition: ServiceDefinition;
  db: Db | undefined;
  backgroundDb: Db | undefined;
  schemaReady: Latch | undefined;
  state: State;
  overrides: Overrides;
};

/**
 * Starts background work: first the schema, then housekeeping, and everything that needs NATS. `stop` prevents anything
 * else from starting.
 */
function startBackground({
  service,
  config,
  base,
  definition,
  db,
  backgroundDb,
  schemaReady,
  state,
  overrides,
}: Background) {
  const { context } = base;
  const stop = new AbortController();
  let housekeeping: PollingLoop | undefined;
  let messaging: Awaited<ReturnType<typeof startMessaging>> | undefined;
  const start = async () => {
    if (service.migrations) await bringSchemaUpToDate(config, service.migrations, context.log, stop.signal);
    schemaReady?.open();
    // Anything started after the stop would never be closed.
    stop.signal.throwIfAborted();
    housekeeping = backgroundDb && startHousekeeping(backgroundDb, context.log, definition.retentionRules);
    const { signal } = stop;
    messaging = await startMessaging({ service: service.name, config, db, backgroundDb, definition, context, signal });
    base.resolveMessaging(messaging.messaging);
    const warmUpTasks = { 'keys of access tokens': base.loadKeys, ...(db && { database: () => db.query('select 1') }) };
    await warmUp(warmUpTasks, context.log, signal, overrides.warmUpMs);
    state.hasCaughtUp = true;
    if (signal.aborted) return;
    await definition.onReady?.();
    context.log.info({ uptimeSeconds: process.uptime() }, 'ready');
  };
  const startup = start().catch((error) => {
    if (!stop.signal.aborted) context.log.fatal({ err: error }, 'Failed to start service');
  });
  return {
    stop: () => stop.abort(),
    async close() {
      await startup;
      await housekeeping?.close();
      await messaging?.close();
      await backgroundDb?.pool.end();
    },
  };
}

/** Remembers when the service was unavailable, and reports only the shutdown once that has started. */
const recordHealth = (state: State, health: () => Promise<HealthReport>) => async (): Promise<HealthReport> => {
  const report = state.isStopping ? STOPPING : await health();
  state.unavailableUntil = report.status === 'unavailable' ? performance.now() + UNAVAILABLE_HOLD_MS : 0;
  return report;
};

async function bringSchemaUpToDate(config: PostgresConfig, migrations: URL, log: Logger, signal: AbortSignal) {
  const { migrate, waitUntilMigrated } = await import('../postgres/migrate.ts');
  if (config.MIGRATIONS === 'wait') return waitUntilMigrated(config.DATABASE_URL, migrations, log, signal);
  return retryUntilDone(
    'migrate',
    () => migrate(config.DATABASE_DIRECT_URL ?? config.DATABASE_URL, migrations, { signal }),
    log,
    signal,
  );
}

/** A subscription without permissions for its NATS user would wait forever if NATS requires authentication. */
function assertListedSubscriptions(service: string, { subscriptions = [] }: ServiceDefinition): void {
  const unlistedSubscriptions = subscriptions.filter(({ producer, name }) => !canSubscribe(service, producer, name));
  if (unlistedSubscriptions.length === 0) return;
  const names = unlistedSubscriptions.map(({ producer, name }) => `${name} (of ${producer})`).join(', ');
  throw new Error(`Unlisted subscriptions of ${service}: ${names}. Add them to proto-events/src/nats-users.ts.`);
}

function createDefinition(
  service: PostgresService<PostgresConfig> | ServiceWithoutPostgres<BaseConfig>,
  context: ServiceContext<PostgresConfig>,
  db: Db | undefined,
): ServiceDefinition | Promise<ServiceDefinition> {
  if (service.migrations === undefined) return service.create(context);
  if (!db) throw new Error(`${service.name} has migrations but no database`);
  return service.create({ ...context, db });
}

type CoreCheckParams = Pick<Background, 'state' | 'schemaReady' | 'db'> & { checkConnection: () => Promise<void> };

function createCoreChecks({ state, schemaReady, db, checkConnection }: CoreCheckParams): HealthCheck[] {
  const checks: HealthCheck[] = [
    {
      name: 'directory',
      essential: true,
      check: async () => {
        if (!state.hasCaughtUp) throw new Error('catching up');
      },
    },
    { name: 'nats', essential: false, check: checkConnection },
  ];
  if (!db) return checks;
  const check = async () => {
    if (!schemaReady?.isOpen()) throw new Error('not migrated');
    await db.query('select 1');
  };
  return [{ name: 'postgres', essential: true, check }, ...checks];
}
