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

const resources = closeAfterEach();

async function openOrderedPods(count: number): Promise<[Pod, ...Pod[]]> {
  const [first, ...others] = await openPods(count);
  if (!first) throw new Error('no pod');
  resources.push(first, ...others);
  return [first, ...others];
}

const record: Handler = async ({ data }, tx) => {
  await tx.query('insert into handled (note, n) values ($1, $2)', [data.note, data.n]);
};

async function consume(pod: Pod, handler: Handler = record, options: Options = {}) {
  const consumer = await startConsumer(
    subscription({ name: 'notes', handlers: [on(exampleEvent, handler)], ...options }),
    { service: 'reader', messaging: pod.messaging, db: pod.db, log: quiet, metrics: createMetrics('reader') },
  );
  let closing: Promise<void> | undefined;
  const close = () => (closing ??= consumer.close());
  resources.push({ close });
  return { close };
}

const publish = (pod: Pod, note: string, n: number, aggregate: string | null = note) =>
  publishEvent(pod.messaging, { event: exampleEvent, data: { note, n }, aggregate });

/** Publishes `countPerNote` events of each note, interleaved. */
async function publishMany(pod: Pod, notes: number, countPerNote: number, firstNumber = 1): Promise<void> {
  for (let n = firstNumber; n < firstNumber + countPerNote; n += 1)
    await Promise.all(Array.from({ length: notes }, (_, note) => publish(pod, `note ${note}`, n)));
}

type Handled = { note: string; n: number };
const readHandled = async (pod: Pod) =>
  (await pod.db.query<Handled>('select note, n from handled order by position')).rows;
const waitForHandledCount = (pod: Pod, count: number, timeoutMs = 20_000) =>
  waitFor(async () => (await readHandled(pod)).length >= count, { description: `${count} to be handled`, timeoutMs });

async function expectInOrder(pod: Pod, notes: number, countPerNote: number): Promise<void> {
  await waitForHandledCount(pod, notes * countPerNote);
  const byNote = Map.groupBy(await readHandled(pod), ({ note }) => note);
  const numbers = Array.from({ length: countPerNote }, (_, index) => index + 1);
  expect(byNote.size).toBe(notes);
  for (const rows of byNote.values()) expect(rows.map(({ n }) => n)).toEqual(numbers);
}

describe('an ordered subscription', () => {
  it('handles events concurrently across aggregates, on at most half of the connections, and in order within each', async () => {
    const [pod] = await openOrderedPods(1);
    let runningCount = 0;
    let maxRunningCount = 0;
    const { promise: isFull, resolve: markFull } = Promise.withResolvers<void>();
    await consume(pod, async (event, tx) => {
      runningCount += 1;
      maxRunningCount = Math.max(maxRunningCount, runningCount);
      if (runningCount === 5) markFull();
      await isFull;
      await record(event, tx);
      runningCount -= 1;
    });
    await publishMany(pod, 20, 10);
    await expectInOrder(pod, 20, 10);
    expect(maxRunningCount).toBe(5);
  });

  it('blocks only the aggregate of a failing event, until it is dead-lettered', async () => {
    const [pod] = await openOrderedPods(1);
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
    await waitForHandledCount(pod, 51);
    // The last attempt is one and a half seconds after the first; no other aggregate waited for it.
    expect((await readHandled(pod)).map(({ note }) => note).indexOf('poison')).toBe(50);
  });

  it('handles events without an aggregate exclusively, in their place', async () => {
    const [pod] = await openOrderedPods(1);
    await consume(pod, async (event, tx) => {
      // Without exclusive handling, this event would be recorded last.
      if (event.data.note === 'slow') await tx.query('select pg_sleep(0.3)');
      await record(event, tx);
    });
    await publish(pod, 'slow', 1);
    await publish(pod, 'without', 2, null);
    await publish(pod, 'quick', 3);
    await waitForHandledCount(pod, 3);
    expect((await readHandled(pod)).map(({ n }) => n)).toEqual([1, 2, 3]);
  });

  it('keeps the order when the leading pod is closed', async () => {
    const [pod, second, third] = await openOrderedPods(3);
    if (!second || !third) throw new Error('no pods');
    const leaders = [await consume(pod), await consume(second)];
    await consume(third);
    const publishing = publishMany(third, 10, 60);
    await waitForHandledCount(third, 50);
    await leaders[0]?.close();
    await waitForHandledCount(third, 200);
    await leaders[1]?.close();
    await publishing;
    await expectInOrder(third, 10, 60);
  });
});

describe('a crashed leader', () => {
  it('is succeeded within seconds, and its events precede newer ones', async () => {
    const [leader, successor] = await openOrderedPods(2);
    if (!successor) throw new Error('no pod');
    const { promise: hasBegun, resolve: begin } = Promise.withResolvers<void>();
    const { promise: never, resolve: wake } = Promise.withResolvers<void>();
    // Uses no inbox, since a crashed process holds no transaction either.
    const options = { inbox: false };
    await consume(
      leader,
      async () => {
        begin();
        await never;
        throw new Error('too late');
      },
      options,
    );
    resources.push({ close: async () => wake() });
    await publishMany(leader, 8, 5);
    await hasBegun;
    await consume(successor, record, options);
    await leader.messaging.connection.close();
    await publishMany(successor, 8, 5, 6);
    await expectInOrder(successor, 8, 10);
  });

  it('changes nothing when it resumes an event that its successor must handle', async () => {
    const [leader, successor] = await openOrderedPods(2);
    if (!successor) throw new Error('no pod');
    const { promise: hasBegun, resolve: begin } = Promise.withResolvers<void>();
    const { promise: isAsleep, resolve: wake } = Promise.withResolvers<void>();
    await consume(leader, async (event, tx) => {
      await record(event, tx);
      begin();
      await isAsleep;
    });
    await publish(leader, 'a', 1);
    await hasBegun;
    await leader.messaging.connection.close();
    let repeatCount = 0;
    await consume(successor, async (event, tx) => {
      repeatCount += event.data.n === 1 ? 1 : 0;
      await record(event, tx);
    });
    await publish(successor, 'a', 2);
    // The successor waits for the uncommitted inbox row.
    await waitFor(
      async () => {
        const { rowCount } = await successor.db.query(
          `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
        );
        return rowCount === 1;
      },
      { description: 'the successor to wait' },
    );
    wake();
    await waitForHandledCount(successor, 2);
    expect((await readHandled(successor)).map(({ n }) => n)).toEqual([1, 2]);
    expect(repeatCount).toBe(0);
  });
});
