import { deadLetterSubject } from '@atrium/proto-events/dead-letters';
import type { Pool } from 'pg';
import type { Registry } from 'prom-client';
import type { BaseConfig } from '../config/env.ts';
import type { Directory } from '../directory/directory.ts';
import type { ProjectDirectory } from '../directory/project-directory.ts';
import { DEAD_LETTERS, type Messaging } from '../messaging/messaging.ts';
import type { Subscription } from '../messaging/subscription.ts';
import { type GaugeSample, gaugeAtScrape, shareInFlight } from '../observability/metrics.ts';
import type { Db, Queryable } from '../postgres/postgres.ts';
import { type HealthReport, measureHealth } from '../process/health.ts';
import type { ServiceContext, ServiceDefinition } from './service-definition.ts';

type MeasureServiceParams = {
  context: ServiceContext<BaseConfig>;
  db: Db | undefined;
  backgroundDb: Db | undefined;
  definition: ServiceDefinition;
  health: () => Promise<HealthReport>;
};

export function registerServiceMetrics(
  service: string,
  { context, db, backgroundDb, definition, health }: MeasureServiceParams,
): void {
  const { messaging } = context;
  const { registry } = context.metrics;
  // Registered before the gauges that query the database, which would otherwise count their own connections.
  if (db) measurePools(registry, { requests: db.pool, ...(backgroundDb && { background: backgroundDb.pool }) });
  measureHealth(registry, health);
  measureDirectory(registry, context.directory, context.projects);
  if (db) measureOutbox(registry, db, messaging);
  const { subscriptions = [] } = definition;
  if (subscriptions.length > 0) measureDeadLetters(registry, service, { subscriptions, messaging });
}

function measurePools(registry: Registry, pools: Readonly<Record<string, Pool>>): void {
  const entries = Object.entries(pools);
  gaugeAtScrape(registry, {
    name: 'database_connections',
    help: 'Connections to PostgreSQL: in use, idle, and available to open',
    labelNames: ['pool', 'state'],
    read: () =>
      entries.flatMap(([pool, { totalCount, idleCount, options }]) => [
        { labels: { pool, state: 'used' }, value: totalCount - idleCount },
        { labels: { pool, state: 'idle' }, value: idleCount },
        { labels: { pool, state: 'unmade' }, value: (options.max ?? totalCount) - totalCount },
      ]),
  });
  gaugeAtScrape(registry, {
    name: 'database_pool_waiting',
    help: 'Statements and transactions waiting for a connection',
    labelNames: ['pool'],
    read: () => entries.map(([pool, { waitingCount }]) => ({ labels: { pool }, value: waitingCount })),
  });
}

/** Measures the number of dead letters per subscription, which is the same on every pod of a service. */
function measureDeadLetters(
  registry: Registry,
  service: string,
  { subscriptions, messaging }: { subscriptions: readonly Subscription[]; messaging: Promise<Messaging> },
): void {
  let connectedMessaging: Messaging | undefined;
  void messaging.then((connected) => {
    connectedMessaging = connected;
  });
  gaugeAtScrape(registry, {
    name: 'dead_letters',
    help: 'Dead letters that have been neither replayed nor dropped',
    labelNames: ['subscription'],
    read: async () => {
      if (!connectedMessaging) return [];
      const { stream, subject, manager } = connectedMessaging;
      const filter = subject(deadLetterSubject(service, '>'));
      const { state } = await manager.streams.info(stream(DEAD_LETTERS), { subjects_filter: filter });
      return subscriptions.map(({ name }) => ({
        labels: { subscription: name },
        value: state.subjects?.[subject(deadLetterSubject(service, name))] ?? 0,
      }));
    },
  });
}

/**
 * Measures the number of users and projects in memory, and their age; absent before the directory was complete for the
 * first time. A process that waits for its schema or for NATS has no stale directory; `dependency_up` reports that it
 * waits.
 */
function measureDirectory(registry: Registry, directory: Directory, projects: ProjectDirectory): void {
  const onceComplete = (read: () => readonly GaugeSample[]) => () => (Number.isFinite(directory.ageMs()) ? read() : []);
  const countEntries = () => {
    const { users, departments } = directory.sizes();
    return { people: users, departments, projects: projects.size() };
  };
  gaugeAtScrape(registry, {
    name: 'directory_entries',
    help: 'Users, departments, and projects in memory, including deleted ones',
    labelNames: ['kind'],
    read: onceComplete(() => Object.entries(countEntries()).map(([kind, value]) => ({ labels: { kind }, value }))),
  });
  gaugeAtScrape(registry, {
    name: 'directory_age_seconds',
    help: 'Time since the directory was last confirmed to be complete; absent before the first time',
    read: onceComplete(() => [{ value: directory.ageMs() / 1_000 }]),
  });
  gaugeAtScrape(registry, {
    name: 'directory_updated_seconds',
    help: 'Time since the last update of a user or a department; absent before the first',
    read: onceComplete(() => {
      const sinceMs = directory.sinceUpdateMs();
      return sinceMs === undefined ? [] : [{ value: sinceMs / 1_000 }];
    }),
  });
}

/** Limits the count, since an outbox is long when the database is busy. */
const MAX_COUNTED = 10_000;

type RowCounts = { waiting: number; rejected: number; oldest_seconds: number };

/**
 * Measures the number of outbox rows waiting for NATS, the age of the oldest one, the number of rejected ones, and
 * whether this pod relays. All but the last are the same on every pod of a service.
 */
function measureOutbox(registry: Registry, db: Queryable, messaging: Promise<Messaging>): void {
  const count = shareInFlight(() => countRows(db));
  gaugeAtScrape(registry, {
    name: 'outbox_rows',
    help: 'Committed events that are not published: waiting, or rejected by NATS; at most 10,000',
    labelNames: ['state'],
    read: async () => {
      const { waiting, rejected } = await count();
      return [
        { labels: { state: 'waiting' }, value: waiting },
        { labels: { state: 'rejected' }, value: rejected },
      ];
    },
  });
  gaugeAtScrape(registry, {
    name: 'outbox_oldest_seconds',
    help: 'How long the oldest event has waited to be published; 0 if none does',
    read: async () => [{ value: (await count()).oldest_seconds }],
  });
  let connectedMessaging: Messaging | undefined;
  void messaging.then((connected) => {
    connectedMessaging = connected;
  });
  gaugeAtScrape(registry, {
    name: 'outbox_relay_leader',
    help: 'Whether this pod publishes the outbox (1) or another one does (0)',
    read: () => [{ value: Number(connectedMessaging?.isRelayLeader() ?? false) }],
  });
}

async function countRows(db: Queryable): Promise<RowCounts> {
  const countSql = (condition: string) =>
    `(select count(*) from (select from outbox where ${condition} limit ${MAX_COUNTED}) as counted)`;
  const oldestSql = 'select created_at from outbox where rejected_at is null order by id limit 1';
  const { rows } = await db.query<RowCounts>(`
    select ${countSql('rejected_at is null')} as waiting, ${countSql('rejected_at is not null')} as rejected,
      greatest(0, coalesce(extract(epoch from clock_timestamp() - (${oldestSql})), 0))::float8 as oldest_seconds`);
  const [counts] = rows;
  if (!counts) throw new Error('The query returned no count');
  return counts;
}
