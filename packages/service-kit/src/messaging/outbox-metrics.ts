import type { Registry } from 'prom-client';
import { gaugeAtScrape, shareInFlight } from '../observability/gauge-at-scrape.ts';
import type { Queryable } from '../postgres/postgres.ts';
import type { Messaging } from './messaging.ts';

/** Limits the count: an outbox is long when the database is busy. */
const MAX_COUNTED = 10_000;

type Counted = { waiting: number; rejected: number; oldest_seconds: number };

/**
 * The number of outbox rows waiting for NATS and the age of the oldest, the number of rejected ones, and whether this
 * pod relays. The rows are the same on every pod of a service.
 */
export function measureOutbox(registry: Registry, db: Queryable, messaging: Promise<Messaging>): void {
  const count = shareInFlight(() => countRows(db));
  gaugeAtScrape(registry, {
    name: 'outbox_rows',
    help: 'Committed events that are not published: waiting, or rejected by NATS; at most 10,000',
    labelNames: ['state'],
    read: async () => {
      const { waiting, rejected } = await count();
      return [
        { labels: { state: 'waiting' }, value: waiting },
        { labels: { state: 'rejected' }, value: rejected },
      ];
    },
  });
  gaugeAtScrape(registry, {
    name: 'outbox_oldest_seconds',
    help: 'How long the oldest event has waited to be published; 0 if none does',
    read: async () => [{ value: (await count()).oldest_seconds }],
  });
  let live: Messaging | undefined;
  void messaging.then((made) => {
    live = made;
  });
  gaugeAtScrape(registry, {
    name: 'outbox_relay_leader',
    help: 'Whether this pod publishes the outbox (1) or another one does (0)',
    read: () => [{ value: Number(live?.leadsRelay() ?? false) }],
  });
}

async function countRows(db: Queryable): Promise<Counted> {
  const countOf = (condition: string) =>
    `(select count(*) from (select from outbox where ${condition} limit ${MAX_COUNTED}) as counted)`;
  const oldest = 'select created_at from outbox where rejected_at is null order by id limit 1';
  const { rows } = await db.query<Counted>(`
    select ${countOf('rejected_at is null')} as waiting, ${countOf('rejected_at is not null')} as rejected,
      greatest(0, coalesce(extract(epoch from clock_timestamp() - (${oldest})), 0))::float8 as oldest_seconds`);
  const [counted] = rows;
  if (!counted) throw new Error('The query returned no count');
  return counted;
}
