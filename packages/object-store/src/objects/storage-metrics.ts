import { gaugeAtScrape } from '@atrium/service-kit/observability/metrics';
import type { Queryable } from '@atrium/service-kit/postgres/postgres';
import type { Registry } from 'prom-client';
import { countStoredBytes, type Quotas } from './quota.ts';

/** Bytes of a service's files and their quota, the same on every pod; no quota series if unlimited. */
export function measureStorage(registry: Registry, db: Queryable, quotas: Quotas): void {
  gaugeAtScrape(registry, {
    name: 'stored_bytes',
    help: 'Bytes of all files of the service, including pending uploads; the same on every pod',
    read: async () => [{ value: await countStoredBytes(db) }],
  });
  gaugeAtScrape(registry, {
    name: 'stored_bytes_quota',
    help: 'Maximum bytes of all files of the service; absent if unlimited',
    read: () => (quotas.workspaceBytes === 0 ? [] : [{ value: quotas.workspaceBytes }]),
  });
}
