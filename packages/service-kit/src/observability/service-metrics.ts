import type { Db } from '../postgres/postgres.ts';
import type { BaseConfig } from '../process/env.ts';
import type { HealthReport } from '../process/health.ts';
import type { ServiceContext, ServiceDefinition } from '../process/service-definition.ts';
import { measureDeadLetters } from './dead-letter-metrics.ts';
import { measureDirectory } from './directory-metrics.ts';
import { measureHealth } from './health-metrics.ts';
import { measureOutbox } from './outbox-metrics.ts';
import { measurePools } from './pool-metrics.ts';

type Measured = {
  kit: ServiceContext<BaseConfig>;
  db: Db | undefined;
  backgroundDb: Db | undefined;
  parts: ServiceDefinition;
  health: () => Promise<HealthReport>;
};

/** Metrics that every service has besides requests and consumers. Services add their own to `kit.metrics.registry`. */
export function measureService(service: string, { kit, db, backgroundDb, parts, health }: Measured): void {
  const { messaging } = kit;
  const { registry } = kit.metrics;
  // Before those that query the database, which would otherwise count themselves.
  if (db) measurePools(registry, { requests: db.pool, ...(backgroundDb && { background: backgroundDb.pool }) });
  measureHealth(registry, health);
  measureDirectory(registry, kit.directory, kit.projects);
  if (db) measureOutbox(registry, db, messaging);
  const { subscriptions = [] } = parts;
  if (subscriptions.length > 0) measureDeadLetters(registry, service, { subscriptions, messaging });
}
