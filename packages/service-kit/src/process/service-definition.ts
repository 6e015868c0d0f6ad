import type { Server } from 'node:http';
import type { Express } from 'express';
import type { JWTVerifyGetKey } from 'jose';
import type { Directory } from '../directory/directory.ts';
import type { ProjectDirectory } from '../directory/project-directory.ts';
import type { Revocations } from '../directory/revocations.ts';
import type { TokenVerifier } from '../http/authenticate.ts';
import type { Route } from '../http/handle.ts';
import type { SecurityLog, StoreRecord } from '../http/security-log.ts';
import type { Messaging } from '../messaging/messaging.ts';
import type { Subscription } from '../messaging/subscription.ts';
import type { Logger } from '../observability/logger.ts';
import type { Metrics } from '../observability/metrics.ts';
import type { RetentionRule } from '../postgres/housekeeping.ts';
import type { Db } from '../postgres/postgres.ts';
import type { BaseConfig, PostgresConfig } from './env.ts';
import type { HealthCheck } from './health.ts';

/** What a service is given. */
export type ServiceContext<C extends BaseConfig> = {
  config: C;
  log: Logger;
  directory: Directory;
  /** Empty but for a service that says `projects: true` in its parts. */
  projects: ProjectDirectory;
  revocations: Revocations;
  verifier: TokenVerifier;
  metrics: Metrics;
  /** Sign-ins, guesses and the like; refusals are recorded by the kit itself. */
  securityLog: SecurityLog;
  /** The connection to NATS once there is one: it may come long after the service has started. */
  messaging: Promise<Messaging>;
};

/** What a service is made of. */
export type ServiceDefinition = {
  routes: readonly Route[];
  subscriptions?: readonly Subscription[];
  /** What may go of its own tables; one pod removes it. */
  retentionRules?: readonly RetentionRule[];
  /** Whether it needs to know projects: then it is ready once the directory of projects has caught up, too. */
  projects?: boolean;
  checks?: readonly HealthCheck[];
  /** Calls outside the public API. */
  internal?: (app: Express) => void;
  /** Sockets attach to the server here, before it listens. */
  attach?: (server: Server) => void;
  /** How long a request may take to arrive, in milliseconds; ten seconds unless a service takes in more than JSON. */
  maxRequestMs?: number;
  /** Where the keys of access tokens come from, for the one service that has them itself. */
  keys?: JWTVerifyGetKey;
  /** Stores a security record, for a service without PostgreSQL; others have an outbox. Must be idempotent by the row's `messageId`. */
  storeSecurityRecord?: StoreRecord;
  /** Runs once NATS is connected and the directory has caught up. */
  onReady?: () => Promise<void>;
  /** Runs first when the service stops: sockets move over, workers finish. Requests under way and consumers go on. */
  close?: () => Promise<void>;
  /** Runs last, when nothing is asked of it any more: stores and connections are let go. Its database is there, NATS is not. */
  end?: () => Promise<void>;
};

export type PostgresService<C extends PostgresConfig> = {
  name: string;
  /** Folder of plain SQL migrations. */
  migrations: URL;
  create(kit: ServiceContext<C> & { db: Db }): ServiceDefinition | Promise<ServiceDefinition>;
};

export type StorelessService<C extends BaseConfig> = {
  name: string;
  migrations?: never;
  create(kit: ServiceContext<C>): ServiceDefinition | Promise<ServiceDefinition>;
};
