import type { Caller } from '@atrium/service-kit/http/authenticate';
import { keyForRequest, withIdempotencyKey } from '@atrium/service-kit/http/idempotency';
import { applyRetention } from '@atrium/service-kit/postgres/housekeeping';
import type { Db, Queryable } from '@atrium/service-kit/postgres/postgres';
import { waitFor } from '@atrium/test-kit/wait-for';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openPods, type Pod } from '../pods.ts';

let pod: Pod;
let db: Db;
beforeAll(async () => {
  const [openedPod] = await openPods(1);
  if (!openedPod) throw new Error('no pod');
  pod = openedPod;
  db = pod.db;
});
afterAll(() => pod.close());

const buildCaller = (userId: string): Caller => ({ userId, role: 'member', sessionId: 's' });
const ADA = buildCaller('ada');
let writeCount = 0;

const write = (name: string) => async (tx: Queryable) => {
  writeCount += 1;
  const id = `${name}-${writeCount}`;
  await tx.query('insert into notes (id) values ($1)', [id]);
  return { id };
};
const countNotes = async (name: string) =>
  Number((await db.query<{ n: number }>('select count(*) as n from notes where id like $1', [`${name}-%`])).rows[0]?.n);

const countBlocked = async (queryable: Queryable) =>
  Number(
    (
      await queryable.query<{ n: number }>(
        `select count(*) as n from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
      )
    ).rows[0]?.n,
  );

describe('withIdempotencyKey', () => {
  it('runs the write once, and returns the first response to a retry', async () => {
    const request = { title: 'a' };
    const first = await withIdempotencyKey(db, { caller: ADA, key: keyForRequest('k1', request) }, write('repeat'));
    const second = await withIdempotencyKey(db, { caller: ADA, key: keyForRequest('k1', request) }, write('repeat'));
    expect(second).toEqual(first);
    expect(await countNotes('repeat')).toBe(1);
  });

  it('runs the write once for many concurrent retries', async () => {
    const idempotentWrite = { caller: ADA, key: keyForRequest('k2', { title: 'b' }) };
    const responses = await Promise.all(
      Array.from({ length: 8 }, () =>
        withIdempotencyKey(db, idempotentWrite, async (tx) => {
          await tx.query('select pg_sleep(0.05)');
          return write('simultaneous')(tx);
        }),
      ),
    );
    expect(new Set(responses.map(({ id }) => id)).size).toBe(1);
    expect(await countNotes('simultaneous')).toBe(1);
  });

  it('rejects a key that was used for a different request', async () => {
    await withIdempotencyKey(db, { caller: ADA, key: keyForRequest('k3', { title: 'c' }) }, write('other'));
    const misuse = withIdempotencyKey(db, { caller: ADA, key: keyForRequest('k3', { title: 'd' }) }, write('other'));
    await expect(misuse).rejects.toMatchObject({ code: 'conflict', status: 409 });
    expect(await countNotes('other')).toBe(1);
  });

  it('releases the key after a failure, even for a concurrent retry', async () => {
    const idempotentWrite = { caller: ADA, key: keyForRequest('k4', {}) };
    let waiting: Promise<unknown> | undefined;
    const failing = withIdempotencyKey(db, idempotentWrite, async (tx) => {
      await write('failing')(tx);
      waiting = withIdempotencyKey(db, idempotentWrite, write('failing'));
      await waitFor(async () => (await countBlocked(db)) === 1, { description: 'the retry to wait for the key' });
      throw new Error('no');
    });
    await expect(failing).rejects.toThrow('no');
    expect(await waiting).toHaveProperty('id');
    expect(await countNotes('failing')).toBe(1);
  });

  it('treats other users, and requests without a key, as separate writes', async () => {
    for (const userId of ['bob', 'eve'])
      await withIdempotencyKey(db, { caller: buildCaller(userId), key: keyForRequest('k5', {}) }, write('user'));
    expect(await countNotes('user')).toBe(2);
    for (let n = 0; n < 3; n += 1) await withIdempotencyKey(db, { caller: ADA, key: undefined }, write('keyless'));
    expect(await countNotes('keyless')).toBe(3);
  });
});

describe('applyRetention', () => {
  it('removes idempotency keys once drafts have expired, and inbox entries once their stream has dropped the event', async () => {
    await db.query(`insert into idempotency_keys (user_id, key, request, created_at)
      values ('old', 'a', 'r', now() - interval '32 days'), ('old', 'b', 'r', now() - interval '30 days')`);
    await db.query(`insert into processed_events (consumer, event_id, processed_at)
      select 'c', 'old-' || n, now() - interval '32 days' from generate_series(1, 12000) n`);
    await db.query(
      `insert into processed_events (consumer, event_id, processed_at) values ('c', 'young', now() - interval '29 days')`,
    );
    expect(await applyRetention(db)).toBe(12_001);
    const keys = await db.query<{ key: string }>(`select key from idempotency_keys where user_id = 'old'`);
    expect(keys.rows).toEqual([{ key: 'b' }]);
    const events = await db.query<{ event_id: string }>('select event_id from processed_events');
    expect(events.rows).toEqual([{ event_id: 'young' }]);
  });
});
