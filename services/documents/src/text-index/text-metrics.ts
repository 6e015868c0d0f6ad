import { gaugeAtScrape } from '@atrium/service-kit/observability/gauge-at-scrape';
import type { Queryable } from '@atrium/service-kit/postgres/postgres';
import { Counter, type Registry } from 'prom-client';
import { countPending } from './text-repository.ts';

const OUTCOMES = ['done', 'none', 'failed', 'retried'] as const;

export type TextMetrics = { count(outcome: (typeof OUTCOMES)[number]): void };

/** Extraction results on this pod, and the number of pending files, which is the same on every pod. */
export function registerTextMetrics(registry: Registry, db: Queryable): TextMetrics {
  const texts = new Counter({
    name: 'texts_total',
    help: 'Files whose text was read, by what became of it; one is retried where the object store or the service was at fault',
    labelNames: ['outcome'],
    registers: [registry],
  });
  for (const outcome of OUTCOMES) texts.inc({ outcome }, 0);
  gaugeAtScrape(registry, {
    name: 'texts_pending',
    help: 'Files whose text is not read yet, 10,000 at most; every pod shows the same',
    read: async () => [{ value: await countPending(db) }],
  });
  return { count: (outcome) => texts.inc({ outcome }) };
}
