import { gaugeAtScrape } from '@atrium/service-kit/observability/gauge-at-scrape';
import type { Queryable } from '@atrium/service-kit/postgres/postgres';
import type { Registry } from 'prom-client';
import { countStoredBytes, type Quotas } from './quota.ts';

/** How much the files of a service take, and how much they may take, which every pod shows alike; no quota where there is no limit. */
export function measureStorage(registry: Registry, db: Queryable, quotas: Quotas): void {
  gaugeAtScrape(registry, {
    name: 'stored_bytes',
    help: 'Bytes of all files of the service, those that are being uploaded included; every pod shows the same',
    read: async () => [{ value: await countStoredBytes(db) }],
  });
  gaugeAtScrape(registry, {
    name: 'stored_bytes_quota',
    help: 'Bytes that all files of the service may take; absent without a limit',
    read: () => (quotas.workspaceBytes === 0 ? [] : [{ value: quotas.workspaceBytes }]),
  });
}
