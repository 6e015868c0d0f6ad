import { gaugeAtScrape } from '@atrium/service-kit/observability/gauge-at-scrape';
import { Counter, type Registry } from 'prom-client';
import type { Store } from '../store/store.ts';

const OUTCOMES = ['sent', 'retried', 'uncertain', 'failed', 'kept back'] as const;

export type EmailMetrics = { count(outcome: (typeof OUTCOMES)[number]): void };

/** Delivery outcomes on this pod, and the number of queued emails, which is the same on every pod. */
export function registerEmailMetrics(registry: Registry, store: Store): EmailMetrics {
  const mails = new Counter({
    name: 'emails_total',
    help: 'Attempts at emails by outcome; `uncertain`: the server did not say whether it accepted one, `kept back`: events made it obsolete',
    labelNames: ['outcome'],
    registers: [registry],
  });
  for (const outcome of OUTCOMES) mails.inc({ outcome }, 0);
  gaugeAtScrape(registry, {
    name: 'emails_queued',
    help: 'Mails that wait to be sent; every pod shows the same',
    read: async () => [{ value: await store.reach(() => store.emails.countDocuments({ state: 'queued' })) }],
  });
  return { count: (outcome) => mails.inc({ outcome }) };
}
