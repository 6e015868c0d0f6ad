import type { Registry } from 'prom-client';
import type { Messaging } from '../messaging/messaging.ts';
import type { Queryable } from '../postgres/postgres.ts';
import { gaugeAtScrape, shareInFlight } from './gauge-at-scrape.ts';

/** More than these are not counted: an outbox is long just when the database has enough to do. */
const MAX_COUNTED = 10_000;

type Counted = { waiting: number; refused: number; oldest_seconds: number };

/**
 * Shows how many rows the outbox has that wait for NATS and how old the oldest is, how many it has refused, and whether this pod relays
 * them. Every pod of a service shows the same rows.
 */
export function measureOutbox(registry: Registry, db: Queryable, messaging: Promise<Messaging>): void {
  const count = shareInFlight(() => countRows(db));
  gaugeAtScrape(registry, {
    name: 'outbox_rows',
    help: 'Events that are committed and not published: waiting, or refused by NATS and put aside; 10,000 at most',
    labelNames: ['state'],
    read: async () => {
      const { waiting, refused } = await count();
      return [
        { labels: { state: 'waiting' }, value: waiting },
        { labels: { state: 'refused' }, value: refused },
      ];
    },
  });
  gaugeAtScrape(registry, {
    name: 'outbox_oldest_seconds',
    help: 'For how long the oldest event has waited to be published; 0 where none does',
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
  const oldest = 'select created_at from outbox where refused_at is null order by id limit 1';
  const { rows } = await db.query<Counted>(`
    select ${countOf('refused_at is null')} as waiting, ${countOf('refused_at is not null')} as refused,
      greatest(0, coalesce(extract(epoch from clock_timestamp() - (${oldest})), 0))::float8 as oldest_seconds`);
  const [counted] = rows;
  if (!counted) throw new Error('nothing was counted');
  return counted;
}
