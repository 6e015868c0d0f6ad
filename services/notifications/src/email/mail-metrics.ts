import { gaugeAtScrape } from '@atrium/service-kit/observability/gauge-at-scrape';
import { Counter, type Registry } from 'prom-client';
import type { Store } from '../store/store.ts';

const OUTCOMES = ['sent', 'retried', 'uncertain', 'failed', 'kept back'] as const;

export type MailMetrics = { count(outcome: (typeof OUTCOMES)[number]): void };

/** What became of mails on this pod, and how many wait, which every pod shows alike. */
export function measureMails(registry: Registry, store: Store): MailMetrics {
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
    read: async () => [{ value: await store.reach(() => store.mails.countDocuments({ state: 'queued' })) }],
  });
  return { count: (outcome) => mails.inc({ outcome }) };
}
