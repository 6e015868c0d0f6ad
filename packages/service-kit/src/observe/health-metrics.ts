import type { Registry } from 'prom-client';
import type { HealthReport } from '../process/health.ts';
import { gaugeAtScrape } from './gauge-at-scrape.ts';

/** A part that does not answer is down after two seconds, which is an answer. */
const PATIENCE_MS = 3_000;

/** Shows what `/readyz` says of each part that the process needs. */
export function measureHealth(registry: Registry, health: () => Promise<HealthReport>): void {
  gaugeAtScrape(registry, {
    name: 'part_up',
    help: 'Whether what this process needs answers it (1): its database, NATS, the directory …',
    labelNames: ['part'],
    patienceMs: PATIENCE_MS,
    read: async () =>
      Object.entries((await health()).parts).map(([part, status]) => ({
        labels: { part },
        value: Number(status === 'ok'),
      })),
  });
}
