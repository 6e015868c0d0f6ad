import { replaySubject } from '@atrium/proto-events/dead-letters';
import { defineEvent, type EventDefinition, subjectOf } from '@atrium/proto-events/event';
import { startConsumer } from '@atrium/service-kit/messaging/consumer/consumer';
import { DEAD_LETTERS, requireStream } from '@atrium/service-kit/messaging/messaging';
import { on, type Reaction, subscription } from '@atrium/service-kit/messaging/subscription';
import { createMetrics } from '@atrium/service-kit/observability/metrics';
import { closeAfterEach } from '@atrium/test-kit/close-after-each';
import { waitFor } from '@atrium/test-kit/wait-for';
import { describe, expect, it } from '@jest/globals';
import { exampleEvent, publishEvent } from '../notes.ts';
import { openPods, type Pod, quiet, recreateStreams } from '../pods.ts';

/** An event added in the second version. */
const pinnedEvent = defineEvent('notes.note.pinned', 1, exampleEvent.data);

type Options = Partial<Parameters<typeof subscription>[0]> & { orphanedAfterMs?: number };

const open = closeAfterEach();

async function somePods(count: number): Promise<Pod[]> {
  const pods = await openPods(count);
  open.push(...pods);
  return pods;
}
async function onePod(): Promise<Pod> {
  const [pod] = await somePods(1);
  if (!pod) throw new Error('no pod');
  return pod;
}
async function twoPods(): Promise<[Pod, Pod]> {
  const [one, other] = await somePods(2);
  if (!one || !other) throw new Error('no pods');
  return [one, other];
}

/** A handler that records the event and the handling pod. */
const record = (by: string, event: EventDefinition): Reaction =>
  on(event as typeof exampleEvent, async ({ data }, tx) => {
    await tx.query('insert into handled (note, n) values ($1, $2)', [`${by} ${event.type}`, data.n]);
  });
const first = (by = 'first') => [record(by, exampleEvent)];
const second = (by = 'second') => [record(by, exampleEvent), record(by, pinnedEvent)];

/** A pod of some version of the service `reader`, with its subscription `notes`. */
async function start(pod: Pod, reactions: Reaction[], { orphanedAfterMs, ...options }: Options = {}) {
  const metrics = createMetrics('reader');
  const running = await startConsumer(subscription({ name: 'notes', reactions, ...options }), {
    service: 'reader',
    messaging: pod.messaging,
    db: pod.db,
    log: quiet,
    metrics,
    ...(orphanedAfterMs === undefined ? {} : { orphanedAfterMs }),
  });
  const closing = { ended: false };
  const close = async () => {
    if (!closing.ended) await running.close();
    closing.ended = true;
  };
  open.push({ close });
  return { close, counted: () => metrics.registry.metrics() };
}

const publish = (pod: Pod, event: EventDefinition, n: number) =>
  publishEvent(pod.messaging, { event, data: { note: 'a', n }, aggregate: 'a' });

type Handled = { note: string; n: number };
const handled = async (pod: Pod) => (await pod.db.query<Handled>('select note, n from handled order by position')).rows;
const handledAll = async (pod: Pod, numbers: number[]) => {
  await waitFor(async () => (await handled(pod)).length >= numbers.length, { what: `${numbers} to be handled` });
  expect((await handled(pod)).map(({ n }) => n)).toEqual(numbers);
};

const durable = (pod: Pod) => pod.messaging.manager.consumers.info(pod.messaging.stream('notes'), 'reader-notes');
const askedFor = async (pod: Pod) => (await durable(pod)).config.filter_subjects ?? [];
const subject = (pod: Pod, event: EventDefinition) => pod.messaging.subject(subjectOf(event));
const replays = (pod: Pod) => pod.messaging.subject(replaySubject('notes', 'reader', 'notes'));
const settled = (pod: Pod) =>
  waitFor(
    async () => {
      const { num_ack_pending, num_pending } = await durable(pod);
      return num_ack_pending === 0 && num_pending === 0;
    },
    { what: 'everything to be consumed' },
  );
const deadLetters = async (pod: Pod) =>
  (await pod.messaging.manager.streams.info(await requireStream(pod.messaging, DEAD_LETTERS))).state.messages;

describe('a new version of a subscription', () => {
  it('handles one more event, and resumes where the old version was', async () => {
    const pod = await onePod();
    const old = await start(pod, first());
    await publish(pod, exampleEvent, 1);
    await handledAll(pod, [1]);
    await old.close();
    await publish(pod, exampleEvent, 2);
    await start(pod, second());
    await publish(pod, pinnedEvent, 3);
    await handledAll(pod, [1, 2, 3]);
  });

  it('can raise and lower the number of events in flight', async () => {
    const pod = await onePod();
    for (const unordered of [1, 8, 1]) {
      const running = await start(pod, first(), { unordered });
      expect((await durable(pod)).config.max_ack_pending).toBe(unordered);
      await running.close();
    }
  });

  it('ignores a changed start position for an existing durable', async () => {
    const pod = await onePod();
    const old = await start(pod, first(), { from: 'all' });
    await publish(pod, exampleEvent, 1);
    await handledAll(pod, [1]);
    await old.close();
    await start(pod, first(), { from: 'new' });
    await publish(pod, exampleEvent, 2);
    await handledAll(pod, [1, 2]);
  });

  it('recreates a durable that NATS has lost', async () => {
    const pod = await onePod();
    await start(pod, first(), { orphanedAfterMs: 200 });
    await pod.messaging.manager.streams.delete(pod.messaging.stream('notes'));
    await recreateStreams(pod);
    await waitFor(() => durable(pod).then(() => true), { what: 'the durable to be recreated' });
    await publish(pod, exampleEvent, 1);
    await handledAll(pod, [1]);
  });
});

describe('an old pod along with a new one', () => {
  it('requeues an unknown event for the new pod, in order and without a dead letter', async () => {
    const [oldPod, newPod] = await twoPods();
    const old = await start(oldPod, first());
    await publish(oldPod, exampleEvent, 1);
    // The pod that handled an event leads until it requeues one.
    await handledAll(oldPod, [1]);
    await start(newPod, second());
    const numbers = Array.from({ length: 40 }, (_, index) => index + 1);
    for (const n of numbers.slice(1)) await publish(newPod, n % 2 ? exampleEvent : pinnedEvent, n);
    await handledAll(newPod, numbers);
    await settled(newPod);
    const pinned = (await handled(newPod)).filter(({ n }) => n % 2 === 0);
    expect(new Set(pinned.map(({ note }) => note))).toEqual(new Set(['second notes.note.pinned']));
    expect(await deadLetters(newPod)).toBe(0);
    expect(await old.counted()).toMatch(/outcome="requeued",service="reader"\} [1-9]/);
  });

  it('uses no attempts for events it leaves to others', async () => {
    const [oldPod, newPod] = await twoPods();
    await start(oldPod, first());
    let tries = 0;
    const flaky = on(pinnedEvent, async (event, tx) => {
      tries += 1;
      if (tries === 1) throw new Error('not yet');
      await tx.query('insert into handled (note, n) values ($1, $2)', ['flaky', event.data.n]);
    });
    await start(newPod, [...first(), flaky], { attempts: 2 });
    await publish(newPod, pinnedEvent, 1);
    await handledAll(newPod, [1]);
    expect(tries).toBe(2);
    expect(await deadLetters(newPod)).toBe(0);
  });

  it('keeps the newer subjects and settings when it restarts', async () => {
    const [oldPod, newPod] = await twoPods();
    await start(newPod, second(), { unordered: 8 });
    const old = await start(oldPod, first(), { unordered: 1 });
    expect(await askedFor(oldPod)).toEqual([
      subject(oldPod, exampleEvent),
      subject(oldPod, pinnedEvent),
      replays(oldPod),
    ]);
    expect((await durable(oldPod)).config.max_ack_pending).toBe(8);
    await old.close();
  });

  it('holds the event while the new pod restarts', async () => {
    const [oldPod, newPod] = await twoPods();
    const fallen = await start(newPod, second());
    await start(oldPod, first());
    await fallen.close();
    await publish(newPod, pinnedEvent, 1);
    await publish(newPod, exampleEvent, 2);
    await waitFor(async () => (await durable(newPod)).num_ack_pending === 2, {
      what: 'the old pod to hold the events',
    });
    expect(await handled(newPod)).toEqual([]);
    await start(newPod, second('again'));
    await handledAll(newPod, [1, 2]);
    expect((await handled(newPod))[0]?.note).toBe('again notes.note.pinned');
    expect(await deadLetters(newPod)).toBe(0);
  });
});

describe('a new event type after a rollback', () => {
  it('is parked until a pod that handles it is back, without blocking other events', async () => {
    const [pod, other] = await twoPods();
    const tried = await start(other, second());
    await tried.close();
    const back = await start(pod, first(), { orphanedAfterMs: 500 });
    await publish(pod, pinnedEvent, 1);
    await publish(pod, exampleEvent, 2);
    await publish(pod, pinnedEvent, 3);
    await publish(pod, exampleEvent, 4);
    await handledAll(pod, [2, 4]);
    expect((await durable(pod)).num_ack_pending).toBe(2);
    expect(await back.counted()).toMatch(/outcome="parked",service="reader"\} 2/);
    await start(other, second('forward'));
    await waitFor(async () => (await handled(pod)).length === 4, { what: 'the parked events to be handled' });
    expect((await handled(pod)).slice(2)).toEqual([1, 3].map((n) => ({ note: 'forward notes.note.pinned', n })));
    await settled(pod);
    expect(await deadLetters(pod)).toBe(0);
  });

  it('stays parked if the old version restarts', async () => {
    const [pod, other] = await twoPods();
    const tried = await start(other, second());
    await tried.close();
    const once = await start(pod, first(), { orphanedAfterMs: 300 });
    await publish(pod, pinnedEvent, 1);
    await publish(pod, exampleEvent, 2);
    await handledAll(pod, [2]);
    await once.close();
    await start(pod, first(), { orphanedAfterMs: 300 });
    await publish(pod, exampleEvent, 3);
    await handledAll(pod, [2, 3]);
    await start(other, second('forward'));
    await waitFor(async () => (await handled(pod)).some(({ n }) => n === 1), { what: 'the parked event' });
  });

  it('is dead-lettered for replay if the subscription is unordered', async () => {
    const [pod, other] = await twoPods();
    const tried = await start(other, second(), { unordered: 4 });
    await tried.close();
    await start(pod, first(), { unordered: 4, orphanedAfterMs: 300 });
    await publish(pod, pinnedEvent, 1);
    await publish(pod, exampleEvent, 2);
    await waitFor(async () => (await deadLetters(pod)) === 1, { what: 'the dead letter' });
    await settled(pod);
    expect((await handled(pod)).map(({ n }) => n)).toEqual([2]);
  });
});
