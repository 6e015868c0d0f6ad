import { setTimeout as delay } from 'node:timers/promises';
import { Gauge, type Registry } from 'prom-client';
import type { Queryable } from '../postgres/postgres.ts';

/** Whoever asks for metrics gets them also while the database does not answer. */
const PATIENCE_MS = 1_000;
/** More than these are not counted: an outbox is long just when the database has enough to do. */
const MOST_COUNTED = 10_000;

type Counted = { waiting: number; refused: number };

/** Shows how many rows the outbox has that wait for NATS, and how many it has refused. Every pod of a service shows the same. */
export function measureOutbox(registry: Registry, db: Queryable): void {
  new Gauge({
    name: 'outbox_rows',
    help: 'Events that are committed and not published: waiting, or refused by NATS and put aside; 10,000 at most',
    labelNames: ['state'],
    registers: [registry],
    async collect() {
      this.reset();
      const counted = await Promise.race([count(db), delay(PATIENCE_MS, undefined, { ref: false })]);
      for (const [state, rows] of Object.entries(counted ?? {})) this.set({ state }, rows);
    },
  });
}

async function count(db: Queryable): Promise<Counted | undefined> {
  const countOf = (condition: string) =>
    `(select count(*) from (select from outbox where ${condition} limit ${MOST_COUNTED}) as counted)`;
  const text = `select ${countOf('refused_at is null')} as waiting, ${countOf('refused_at is not null')} as refused`;
  return db.query<Counted>(text).then(
    ({ rows }) => rows[0],
    () => undefined,
  );
}
