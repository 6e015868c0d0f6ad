import type { Registry } from 'prom-client';
import { gaugeAtScrape } from '../observability/gauge-at-scrape.ts';
import type { HealthReport } from './health.ts';

/** A dependency that does not respond counts as down after two seconds, which must be reported. */
const READ_TIMEOUT_MS = 3_000;

/** The state of each dependency, as in `/readyz`. */
export function measureHealth(registry: Registry, health: () => Promise<HealthReport>): void {
  gaugeAtScrape(registry, {
    name: 'dependency_up',
    help: 'Whether a dependency of this process responds (1): its database, NATS, the directory …',
    labelNames: ['dependency'],
    timeoutMs: READ_TIMEOUT_MS,
    read: async () =>
      Object.entries((await health()).parts).map(([dependency, status]) => ({
        labels: { dependency },
        value: Number(status === 'ok'),
      })),
  });
}
