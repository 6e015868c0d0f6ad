import { setTimeout as delay } from 'node:timers/promises';
import { Gauge, type Registry } from 'prom-client';
import type { Queryable } from '../postgres/postgres.ts';

/** Whoever asks for metrics gets them also while the database does not answer. */
const PATIENCE_MS = 1_000;

type Counted = { waiting: number; refused: number };

/** Shows how many rows the outbox has that wait for NATS, and how many it has refused. Every pod of a service shows the same. */
export function measureOutbox(registry: Registry, db: Queryable): void {
  new Gauge({
    name: 'outbox_rows',
    help: 'Events that are committed and not published: waiting, or refused by NATS and put aside',
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
  const text = `select count(*) filter (where refused_at is null) as waiting, count(refused_at) as refused from outbox`;
  return db.query<Counted>(text).then(
    ({ rows }) => rows[0],
    () => undefined,
  );
}
