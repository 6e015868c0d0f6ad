import type { EventOf } from '@atrium/proto-events/event';
import { startConsumer } from '@atrium/service-kit/messaging/consumer/consumer';
import { on, subscription } from '@atrium/service-kit/messaging/subscription';
import { createMetrics } from '@atrium/service-kit/observability/metrics';
import type { Queryable } from '@atrium/service-kit/postgres/postgres';
import { closeAfterEach } from '@atrium/test-kit/close-after-each';
import { waitFor } from '@atrium/test-kit/wait-for';
import { describe, expect, it } from '@jest/globals';
import { exampleEvent, publishEvent } from '../notes.ts';
import { openPods, type Pod, quiet } from '../pods.ts';

type Handler = (event: EventOf<typeof exampleEvent>, tx: Queryable) => Promise<void>;
type Options = Partial<Parameters<typeof subscription>[0]>;

const open = closeAfterEach();

async function somePods(count: number): Promise<[Pod, ...Pod[]]> {
  const [first, ...others] = await openPods(count);
  if (!first) throw new Error('no pod');
  open.push(first, ...others);
  return [first, ...others];
}

const record: Handler = async ({ data }, tx) => {
  await tx.query('insert into handled (note, n) values ($1, $2)', [data.note, data.n]);
};

async function consume(pod: Pod, handler: Handler = record, options: Options = {}) {
  const running = await startConsumer(
    subscription({ name: 'notes', reactions: [on(exampleEvent, handler)], ...options }),
    { service: 'reader', messaging: pod.messaging, db: pod.db, log: quiet, metrics: createMetrics('reader') },
  );
  let closed: Promise<void> | undefined;
  const close = () => (closed ??= running.close());
  open.push({ close });
  return { close };
}

const publish = (pod: Pod, note: string, n: number, aggregate: string | null = note) =>
  publishEvent(pod.messaging, { event: exampleEvent, data: { note, n }, aggregate });

/** `each` events of each note, interleaved. */
async function publishMany(pod: Pod, notes: number, each: number, from = 1): Promise<void> {
  for (let n = from; n < from + each; n += 1)
    await Promise.all(Array.from({ length: notes }, (_, note) => publish(pod, `note ${note}`, n)));
}

type Handled = { note: string; n: number };
const handled = async (pod: Pod) => (await pod.db.query<Handled>('select note, n from handled order by position')).rows;
const handledCount = (pod: Pod, count: number, timeoutMs = 20_000) =>
  waitFor(async () => (await handled(pod)).length >= count, { what: `${count} to be handled`, timeoutMs });

async function expectInOrder(pod: Pod, notes: number, each: number): Promise<void> {
  await handledCount(pod, notes * each);
  const byNote = Map.groupBy(await handled(pod), ({ note }) => note);
  const numbers = Array.from({ length: each }, (_, index) => index + 1);
  expect(byNote.size).toBe(notes);
  for (const rows of byNote.values()) expect(rows.map(({ n }) => n)).toEqual(numbers);
}

describe('an ordered subscription', () => {
  it('handles events concurrently across aggregates, on at most half of the connections, and in order within each', async () => {
    const [pod] = await somePods(1);
    let atOnce = 0;
    let most = 0;
    const { promise: full, resolve: fill } = Promise.withResolvers<void>();
    await consume(pod, async (event, tx) => {
      atOnce += 1;
      most = Math.max(most, atOnce);
      if (atOnce === 5) fill();
      await full;
      await record(event, tx);
      atOnce -= 1;
    });
    await publishMany(pod, 20, 10);
    await expectInOrder(pod, 20, 10);
    expect(most).toBe(5);
  });

  it('blocks only the aggregate of a failing event, until it is dead-lettered', async () => {
    const [pod] = await somePods(1);
    await consume(
      pod,
      async (event, tx) => {
        if (event.data.note === 'poison' && event.data.n === 1) throw new Error('never');
        await record(event, tx);
      },
      { attempts: 5 },
    );
    await publish(pod, 'poison', 1);
    await publish(pod, 'poison', 2);
    await publishMany(pod, 5, 10);
    await handledCount(pod, 51);
    // The last attempt is one and a half seconds after the first; no other aggregate waited for it.
    expect((await handled(pod)).map(({ note }) => note).indexOf('poison')).toBe(50);
  });

  it('handles events without an aggregate exclusively, in their place', async () => {
    const [pod] = await somePods(1);
    await consume(pod, async (event, tx) => {
      // A reordering would show here.
      if (event.data.note === 'slow') await tx.query('select pg_sleep(0.3)');
      await record(event, tx);
    });
    await publish(pod, 'slow', 1);
    await publish(pod, 'without', 2, null);
    await publish(pod, 'quick', 3);
    await handledCount(pod, 3);
    expect((await handled(pod)).map(({ n }) => n)).toEqual([1, 2, 3]);
  });

  it('keeps the order when the leading pod is closed', async () => {
    const [pod, second, third] = await somePods(3);
    if (!second || !third) throw new Error('no pods');
    const leaders = [await consume(pod), await consume(second)];
    await consume(third);
    const publishing = publishMany(third, 10, 60);
    await handledCount(third, 50);
    await leaders[0]?.close();
    await handledCount(third, 200);
    await leaders[1]?.close();
    await publishing;
    await expectInOrder(third, 10, 60);
  });
});

describe('a crashed leader', () => {
  it('is succeeded within seconds, and its events precede newer ones', async () => {
    const [pod, other] = await somePods(2);
    if (!other) throw new Error('no pod');
    const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
    const { promise: never, resolve: wake } = Promise.withResolvers<void>();
    // No inbox, since a crashed process holds no transaction either.
    const options = { inbox: false };
    await consume(
      pod,
      async () => {
        begin();
        await never;
        throw new Error('too late');
      },
      options,
    );
    open.push({ close: async () => wake() });
    await publishMany(pod, 8, 5);
    await begun;
    await consume(other, record, options);
    await pod.messaging.connection.close();
    await publishMany(other, 8, 5, 6);
    await expectInOrder(other, 8, 10);
  });

  it('changes nothing when it resumes an event that its successor must handle', async () => {
    const [pod, other] = await somePods(2);
    if (!other) throw new Error('no pod');
    const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
    const { promise: asleep, resolve: wake } = Promise.withResolvers<void>();
    await consume(pod, async (event, tx) => {
      await record(event, tx);
      begin();
      await asleep;
    });
    await publish(pod, 'a', 1);
    await begun;
    await pod.messaging.connection.close();
    let again = 0;
    await consume(other, async (event, tx) => {
      again += event.data.n === 1 ? 1 : 0;
      await record(event, tx);
    });
    await publish(other, 'a', 2);
    // The successor waits for the uncommitted inbox row.
    await waitFor(
      async () => {
        const { rowCount } = await other.db.query(
          `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
        );
        return rowCount === 1;
      },
      { what: 'the successor to wait' },
    );
    wake();
    await handledCount(other, 2);
    expect((await handled(other)).map(({ n }) => n)).toEqual([1, 2]);
    expect(again).toBe(0);
  });
});
