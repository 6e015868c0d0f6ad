import type { Pool } from 'pg';
import type { Registry } from 'prom-client';
import { gaugeAtScrape } from './gauge-at-scrape.ts';

/** Connections to PostgreSQL, of requests and of background work. */
export function measurePools(registry: Registry, pools: Readonly<Record<string, Pool>>): void {
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
