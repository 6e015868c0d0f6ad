import { gaugeAtScrape } from '@atrium/service-kit/observability/gauge-at-scrape';
import { Counter, type Registry } from 'prom-client';
import type { Store } from '../store/store.ts';

const OUTCOMES = ['sent', 'retried', 'uncertain', 'failed', 'withheld'] as const;

export type EmailMetrics = { count(outcome: (typeof OUTCOMES)[number]): void };

/** Delivery outcomes on this pod, and the number of queued emails, which is the same on every pod. */
export function registerEmailMetrics(registry: Registry, store: Store): EmailMetrics {
  const counter = new Counter({
    name: 'emails_total',
    help: 'Delivery attempts by outcome; `uncertain`: the server may have accepted the email, `withheld`: the email became obsolete',
    labelNames: ['outcome'],
    registers: [registry],
  });
  for (const outcome of OUTCOMES) counter.inc({ outcome }, 0);
  gaugeAtScrape(registry, {
    name: 'emails_queued',
    help: 'Queued emails; every pod reports the same',
    read: async () => [{ value: await store.reach(() => store.emails.countDocuments({ state: 'queued' })) }],
  });
  return { count: (outcome) => counter.inc({ outcome }) };
}
