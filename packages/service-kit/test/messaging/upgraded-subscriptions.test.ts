import { replaySubject } from '@atrium/proto-events/dead-letters';
import { defineEvent, type EventDefinition, subjectOf } from '@atrium/proto-events/event';
import { startConsumer } from '@atrium/service-kit/messaging/consumer/consumer';
import { DEAD_LETTERS, requireStream } from '@atrium/service-kit/messaging/messaging';
import { type EventHandler, on, subscription } from '@atrium/service-kit/messaging/subscription';
import { createMetrics } from '@atrium/service-kit/observability/metrics';
import { closeAfterEach } from '@atrium/test-kit/close-after-each';
import { waitFor } from '@atrium/test-kit/wait-for';
import { describe, expect, it } from '@jest/globals';
import { exampleEvent, publishEvent } from '../notes.ts';
import { openPods, type Pod, quiet, recreateStreams } from '../pods.ts';

/** An event added in the second version. */
const pinnedEvent = defineEvent('notes.note.pinned', 1, exampleEvent.data);

type Options = Partial<Parameters<typeof subscription>[0]> & { orphanedAfterMs?: number };

const resources = closeAfterEach();

async function openTestPods(count: number): Promise<Pod[]> {
  const pods = await openPods(count);
  resources.push(...pods);
  return pods;
}
async function openOnePod(): Promise<Pod> {
  const [pod] = await openTestPods(1);
  if (!pod) throw new Error('no pod');
  return pod;
}
async function openTwoPods(): Promise<[Pod, Pod]> {
  const [first, second] = await openTestPods(2);
  if (!first || !second) throw new Error('no pods');
  return [first, second];
}

/** A handler that records the event and the handling pod. */
const buildHandler = (label: string, event: EventDefinition): EventHandler =>
  on(event as typeof exampleEvent, async ({ data }, tx) => {
    await tx.query('insert into handled (note, n) values ($1, $2)', [`${label} ${event.type}`, data.n]);
  });
const oldHandlers = (label = 'old') => [buildHandler(label, exampleEvent)];
const newHandlers = (label = 'new') => [buildHandler(label, exampleEvent), buildHandler(label, pinnedEvent)];

/** A pod of some version of the service `reader`, with its subscription `notes`. */
async function start(pod: Pod, handlers: EventHandler[], { orphanedAfterMs, ...options }: Options = {}) {
  const metrics = createMetrics('reader');
  const consumer = await startConsumer(subscription({ name: 'notes', handlers, ...options }), {
    service: 'reader',
    messaging: pod.messaging,
    db: pod.db,
    log: quiet,
    metrics,
    ...(orphanedAfterMs === undefined ? {} : { orphanedAfterMs }),
  });
  let isClosed = false;
  const close = async () => {
    if (!isClosed) await consumer.close();
    isClosed = true;
  };
  resources.push({ close });
  return { close, readMetrics: () => metrics.registry.metrics() };
}

const publish = (pod: Pod, event: EventDefinition, n: number) =>
  publishEvent(pod.messaging, { event, data: { note: 'a', n }, aggregate: 'a' });

type Handled = { note: string; n: number };
const readHandled = async (pod: Pod) =>
  (await pod.db.query<Handled>('select note, n from handled order by position')).rows;
const waitForHandled = async (pod: Pod, numbers: number[]) => {
  await waitFor(async () => (await readHandled(pod)).length >= numbers.length, {
    description: `${numbers} to be handled`,
  });
  expect((await readHandled(pod)).map(({ n }) => n)).toEqual(numbers);
};

const readDurable = (pod: Pod) => pod.messaging.manager.consumers.info(pod.messaging.stream('notes'), 'reader-notes');
const readSubjects = async (pod: Pod) => (await readDurable(pod)).config.filter_subjects ?? [];
const toSubject = (pod: Pod, event: EventDefinition) => pod.messaging.subject(subjectOf(event));
const toReplaySubject = (pod: Pod) => pod.messaging.subject(replaySubject('notes', 'reader', 'notes'));
const waitUntilConsumed = (pod: Pod) =>
  waitFor(
    async () => {
      const { num_ack_pending, num_pending } = await readDurable(pod);
      return num_ack_pending === 0 && num_pending === 0;
    },
    { description: 'everything to be consumed' },
  );
const countDeadLetters = async (pod: Pod) =>
  (await pod.messaging.manager.streams.info(await requireStream(pod.messaging, DEAD_LETTERS))).state.messages;

describe('a new version of a subscription', () => {
  it('handles an additional event, and resumes where the old version stopped', async () => {
    const pod = await openOnePod();
    const oldConsumer = await start(pod, oldHandlers());
    await publish(pod, exampleEvent, 1);
    await waitForHandled(pod, [1]);
    await oldConsumer.close();
    await publish(pod, exampleEvent, 2);
    await start(pod, newHandlers());
    await publish(pod, pinnedEvent, 3);
    await waitForHandled(pod, [1, 2, 3]);
  });

  it('can raise and lower the number of events in flight', async () => {
    const pod = await openOnePod();
    for (const unordered of [1, 8, 1]) {
      const consumer = await start(pod, oldHandlers(), { unordered });
      expect((await readDurable(pod)).config.max_ack_pending).toBe(unordered);
      await consumer.close();
    }
  });

  it('ignores a changed start position for an existing durable', async () => {
    const pod = await openOnePod();
    const oldConsumer = await start(pod, oldHandlers(), { from: 'all' });
    await publish(pod, exampleEvent, 1);
    await waitForHandled(pod, [1]);
    await oldConsumer.close();
    await start(pod, oldHandlers(), { from: 'new' });
    await publish(pod, exampleEvent, 2);
    await waitForHandled(pod, [1, 2]);
  });

  it('recreates a durable that NATS has lost', async () => {
    const pod = await openOnePod();
    await start(pod, oldHandlers(), { orphanedAfterMs: 200 });
    await pod.messaging.manager.streams.delete(pod.messaging.stream('notes'));
    await recreateStreams(pod);
    await waitFor(() => readDurable(pod).then(() => true), { description: 'the durable to be recreated' });
    await publish(pod, exampleEvent, 1);
    await waitForHandled(pod, [1]);
  });
});

describe('an old pod along with a new one', () => {
  it('requeues an unknown event for the new pod, in order and without a dead letter', async () => {
    const [oldPod, newPod] = await openTwoPods();
    const oldConsumer = await start(oldPod, oldHandlers());
    await publish(oldPod, exampleEvent, 1);
    // The pod that handled an event leads until it requeues one.
    await waitForHandled(oldPod, [1]);
    await start(newPod, newHandlers());
    const numbers = Array.from({ length: 40 }, (_, index) => index + 1);
    for (const n of numbers.slice(1)) await publish(newPod, n % 2 ? exampleEvent : pinnedEvent, n);
    await waitForHandled(newPod, numbers);
    await waitUntilConsumed(newPod);
    const pinnedRows = (await readHandled(newPod)).filter(({ n }) => n % 2 === 0);
    expect(new Set(pinnedRows.map(({ note }) => note))).toEqual(new Set(['new notes.note.pinned']));
    expect(await countDeadLetters(newPod)).toBe(0);
    expect(await oldConsumer.readMetrics()).toMatch(/outcome="requeued",service="reader"\} [1-9]/);
  });

  it('counts no attempts for events that it leaves to the new pod', async () => {
    const [oldPod, newPod] = await openTwoPods();
    await start(oldPod, oldHandlers());
    let attempts = 0;
    const flakyHandler = on(pinnedEvent, async (event, tx) => {
      attempts += 1;
      if (attempts === 1) throw new Error('not yet');
      await tx.query('insert into handled (note, n) values ($1, $2)', ['flaky', event.data.n]);
    });
    await start(newPod, [...oldHandlers(), flakyHandler], { attempts: 2 });
    await publish(newPod, pinnedEvent, 1);
    await waitForHandled(newPod, [1]);
    expect(attempts).toBe(2);
    expect(await countDeadLetters(newPod)).toBe(0);
  });

  it('keeps the newer subjects and settings when it restarts', async () => {
    const [oldPod, newPod] = await openTwoPods();
    await start(newPod, newHandlers(), { unordered: 8 });
    const oldConsumer = await start(oldPod, oldHandlers(), { unordered: 1 });
    expect(await readSubjects(oldPod)).toEqual([
      toSubject(oldPod, exampleEvent),
      toSubject(oldPod, pinnedEvent),
      toReplaySubject(oldPod),
    ]);
    expect((await readDurable(oldPod)).config.max_ack_pending).toBe(8);
    await oldConsumer.close();
  });

  it('keeps the event while the new pod restarts', async () => {
    const [oldPod, newPod] = await openTwoPods();
    const firstConsumer = await start(newPod, newHandlers());
    await start(oldPod, oldHandlers());
    await firstConsumer.close();
    await publish(newPod, pinnedEvent, 1);
    await publish(newPod, exampleEvent, 2);
    await waitFor(async () => (await readDurable(newPod)).num_ack_pending === 2, {
      description: 'the old pod to receive the events',
    });
    expect(await readHandled(newPod)).toEqual([]);
    await start(newPod, newHandlers('restarted'));
    await waitForHandled(newPod, [1, 2]);
    expect((await readHandled(newPod))[0]?.note).toBe('restarted notes.note.pinned');
    expect(await countDeadLetters(newPod)).toBe(0);
  });
});

describe('a new event type after a rollback', () => {
  it('is parked until a pod that handles it is back, without blocking other events', async () => {
    const [pod, newPod] = await openTwoPods();
    const newConsumer = await start(newPod, newHandlers());
    await newConsumer.close();
    const rolledBackConsumer = await start(pod, oldHandlers(), { orphanedAfterMs: 500 });
    await publish(pod, pinnedEvent, 1);
    await publish(pod, exampleEvent, 2);
    await publish(pod, pinnedEvent, 3);
    await publish(pod, exampleEvent, 4);
    await waitForHandled(pod, [2, 4]);
    expect((await readDurable(pod)).num_ack_pending).toBe(2);
    expect(await rolledBackConsumer.readMetrics()).toMatch(/outcome="parked",service="reader"\} 2/);
    await start(newPod, newHandlers('forward'));
    await waitFor(async () => (await readHandled(pod)).length === 4, {
      description: 'the parked events to be handled',
    });
    expect((await readHandled(pod)).slice(2)).toEqual([1, 3].map((n) => ({ note: 'forward notes.note.pinned', n })));
    await waitUntilConsumed(pod);
    expect(await countDeadLetters(pod)).toBe(0);
  });

  it('stays parked if the old version restarts', async () => {
    const [pod, newPod] = await openTwoPods();
    const newConsumer = await start(newPod, newHandlers());
    await newConsumer.close();
    const oldConsumer = await start(pod, oldHandlers(), { orphanedAfterMs: 300 });
    await publish(pod, pinnedEvent, 1);
    await publish(pod, exampleEvent, 2);
    await waitForHandled(pod, [2]);
    await oldConsumer.close();
    await start(pod, oldHandlers(), { orphanedAfterMs: 300 });
    await publish(pod, exampleEvent, 3);
    await waitForHandled(pod, [2, 3]);
    await start(newPod, newHandlers('forward'));
    await waitFor(async () => (await readHandled(pod)).some(({ n }) => n === 1), { description: 'the parked event' });
  });

  it('is dead-lettered for replay if the subscription is unordered', async () => {
    const [pod, newPod] = await openTwoPods();
    const newConsumer = await start(newPod, newHandlers(), { unordered: 4 });
    await newConsumer.close();
    await start(pod, oldHandlers(), { unordered: 4, orphanedAfterMs: 300 });
    await publish(pod, pinnedEvent, 1);
    await publish(pod, exampleEvent, 2);
    await waitFor(async () => (await countDeadLetters(pod)) === 1, { description: 'the dead letter' });
    await waitUntilConsumed(pod);
    expect((await readHandled(pod)).map(({ n }) => n)).toEqual([2]);
  });
});
