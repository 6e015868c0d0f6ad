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
    help: 'Text extractions by outcome; `retried`: the object store was unavailable or the worker crashed',
    labelNames: ['outcome'],
    registers: [registry],
  });
  for (const outcome of OUTCOMES) texts.inc({ outcome }, 0);
  gaugeAtScrape(registry, {
    name: 'texts_pending',
    help: 'Files pending text extraction, at most 10,000; every pod reports the same',
    read: async () => [{ value: await countPending(db) }],
  });
  return { count: (outcome) => texts.inc({ outcome }) };
}
