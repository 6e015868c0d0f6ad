import type { Server } from 'node:http';
import type { Express } from 'express';
import type { JWTVerifyGetKey } from 'jose';
import type { BaseConfig, PostgresConfig } from '../config/env.ts';
import type { Directory } from '../directory/directory.ts';
import type { ProjectDirectory } from '../directory/project-directory.ts';
import type { Revocations } from '../directory/revocations.ts';
import type { TokenVerifier } from '../http/authenticate.ts';
import type { Route } from '../http/handle.ts';
import type { SecurityLog, StoreSecurityRecord } from '../http/security-log.ts';
import type { Messaging } from '../messaging/messaging.ts';
import type { Counts } from '../messaging/publish-counts.ts';
import type { Subscription } from '../messaging/subscription.ts';
import type { Logger } from '../observability/logger.ts';
import type { Metrics } from '../observability/metrics.ts';
import type { RetentionRule } from '../postgres/housekeeping.ts';
import type { Db } from '../postgres/postgres.ts';
import type { HealthCheck } from '../process/health.ts';

export type ServiceContext<C extends BaseConfig> = {
  config: C;
  log: Logger;
  directory: Directory;
  /** Empty unless the service sets `needsProjectDirectory`. */
  projects: ProjectDirectory;
  revocations: Revocations;
  verifier: TokenVerifier;
  metrics: Metrics;
  /** For sign-ins, failed attempts, and the like; service-kit records denials. */
  securityLog: SecurityLog;
  /** The connection to NATS once established, possibly long after the service has started. */
  messaging: Promise<Messaging>;
};

export type ServiceDefinition = {
  routes: readonly Route[];
  subscriptions?: readonly Subscription[];
  /** Counts that it publishes after its own events. */
  counts?: Counts;
  /** Retention of its own tables; one pod applies it. */
  retentionRules?: readonly RetentionRule[];
  /** Whether it needs the project directory, which then must have caught up for readiness. */
  needsProjectDirectory?: boolean;
  checks?: readonly HealthCheck[];
  internal?: (app: Express) => void;
  /** Attaches sockets to the server, before it listens. */
  attach?: (server: Server) => void;
  /** Maximum time for a request to arrive, in milliseconds; ten seconds by default, longer for uploads. */
  maxRequestMs?: number;
  /** The keys of access tokens, for the service that owns them. */
  keys?: JWTVerifyGetKey;
  /**
   * Stores a security record, for a service without PostgreSQL; others use the outbox. Must be idempotent by the
   * row's `messageId`.
   */
  storeSecurityRecord?: StoreSecurityRecord;
  /** Runs once NATS is connected and the directory has caught up. */
  onReady?: () => Promise<void>;
  /** Runs first when the service stops: closes sockets and workers. Requests in flight and consumers continue. */
  beforeShutdown?: () => Promise<void>;
  /**
   * Runs last, once nothing uses the service anymore: closes stores and connections. Its database is still available,
   * NATS is not.
   */
  afterShutdown?: () => Promise<void>;
};

export type PostgresService<C extends PostgresConfig> = {
  name: string;
  migrations: URL;
  create(context: ServiceContext<C> & { db: Db }): ServiceDefinition | Promise<ServiceDefinition>;
};

export type ServiceWithoutPostgres<C extends BaseConfig> = {
  name: string;
  migrations?: never;
  create(context: ServiceContext<C>): ServiceDefinition | Promise<ServiceDefinition>;
};
