import { replaySubject } from '@atrium/proto-events/dead-letters';
import { defineEvent, type EventDefinition, subjectOf } from '@atrium/proto-events/event';
import { startConsumer } from '@atrium/service-kit/messaging/consumer/consumer';
import { DEAD, ensureStream } from '@atrium/service-kit/messaging/messaging';
import { on, type Reaction, subscription } from '@atrium/service-kit/messaging/subscription';
import { createMetrics } from '@atrium/service-kit/observe/metrics';
import { closeAfterEach } from '@atrium/test-kit/close-after-each';
import { waitFor } from '@atrium/test-kit/wait-for';
import { describe, expect, it } from '@jest/globals';
import { noteWritten, publishEvent } from '../notes.ts';
import { openPods, type Pod, quiet } from '../pods.ts';

/** An event that came with the second version. */
const notePinned = defineEvent('notes.note.pinned', 1, noteWritten.data);

type Options = Partial<Parameters<typeof subscription>[0]> & { forsakenMs?: number };

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

/** Reacts by writing down what came, and by whom it was handled. */
const record = (by: string, event: EventDefinition): Reaction =>
  on(event as typeof noteWritten, async ({ data }, tx) => {
    await tx.query('insert into handled (note, n) values ($1, $2)', [`${by} ${event.type}`, data.n]);
  });
const first = (by = 'first') => [record(by, noteWritten)];
const second = (by = 'second') => [record(by, noteWritten), record(by, notePinned)];

/** One pod of some version of the service `reader`, with its subscription `notes`. */
async function start(pod: Pod, reactions: Reaction[], { forsakenMs, ...options }: Options = {}) {
  const metrics = createMetrics('reader');
  const running = await startConsumer(subscription({ name: 'notes', reactions, ...options }), {
    service: 'reader',
    messaging: pod.messaging,
    db: pod.db,
    log: quiet,
    metrics,
    ...(forsakenMs === undefined ? {} : { forsakenMs }),
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
  (await pod.messaging.manager.streams.info(await ensureStream(pod.messaging, DEAD))).state.messages;

describe('a new version of a subscription', () => {
  it('reacts to one event more, and goes on where the old one was', async () => {
    const pod = await onePod();
    const old = await start(pod, first());
    await publish(pod, noteWritten, 1);
    await handledAll(pod, [1]);
    await old.close();
    await publish(pod, noteWritten, 2);
    await start(pod, second());
    await publish(pod, notePinned, 3);
    await handledAll(pod, [1, 2, 3]);
  });

  it('may allow more events to be under way, and less', async () => {
    const pod = await onePod();
    for (const unordered of [1, 8, 1]) {
      const running = await start(pod, first(), { unordered });
      expect((await durable(pod)).config.max_ack_pending).toBe(unordered);
      await running.close();
    }
  });

  it('starts where another place to begin at was written down for a subscription that has begun long ago', async () => {
    const pod = await onePod();
    const old = await start(pod, first(), { from: 'all' });
    await publish(pod, noteWritten, 1);
    await handledAll(pod, [1]);
    await old.close();
    await start(pod, first(), { from: 'new' });
    await publish(pod, noteWritten, 2);
    await handledAll(pod, [1, 2]);
  });

  it('is made again where NATS has lost it', async () => {
    const pod = await onePod();
    await start(pod, first(), { forsakenMs: 200 });
    await pod.messaging.manager.streams.delete(pod.messaging.stream('notes'));
    await waitFor(() => durable(pod).then(() => true), { what: 'the durable to be back' });
    await publish(pod, noteWritten, 1);
    await handledAll(pod, [1]);
  });
});

describe('an old pod beside a new one', () => {
  it('puts an event that it does not know back for the new one, in order, without a dead letter', async () => {
    const [oldPod, newPod] = await twoPods();
    const old = await start(oldPod, first());
    await start(newPod, second());
    const numbers = Array.from({ length: 40 }, (_, index) => index + 1);
    for (const n of numbers) await publish(newPod, n % 2 ? noteWritten : notePinned, n);
    await handledAll(newPod, numbers);
    await settled(newPod);
    const pinned = (await handled(newPod)).filter(({ n }) => n % 2 === 0);
    expect(new Set(pinned.map(({ note }) => note))).toEqual(new Set(['second notes.note.pinned']));
    expect(await deadLetters(newPod)).toBe(0);
    // It led until the first that it does not know.
    expect(await old.counted()).toMatch(/outcome="put back",service="reader"\} [1-9]/);
  });

  it('does not use up the attempts of an event by leaving it to others', async () => {
    const [oldPod, newPod] = await twoPods();
    await start(oldPod, first());
    let tries = 0;
    const flaky = on(notePinned, async (event, tx) => {
      tries += 1;
      if (tries === 1) throw new Error('not yet');
      await tx.query('insert into handled (note, n) values ($1, $2)', ['flaky', event.data.n]);
    });
    await start(newPod, [...first(), flaky], { attempts: 2 });
    await publish(newPod, notePinned, 1);
    await handledAll(newPod, [1]);
    expect(tries).toBe(2);
    expect(await deadLetters(newPod)).toBe(0);
  });

  it('narrows nothing when it starts again, and leaves the newer settings', async () => {
    const [oldPod, newPod] = await twoPods();
    await start(newPod, second(), { unordered: 8 });
    const old = await start(oldPod, first(), { unordered: 1 });
    expect(await askedFor(oldPod)).toEqual([
      subject(oldPod, noteWritten),
      subject(oldPod, notePinned),
      replays(oldPod),
    ]);
    expect((await durable(oldPod)).config.max_ack_pending).toBe(8);
    await old.close();
  });

  it('holds the event in its place while the new one starts again', async () => {
    const [oldPod, newPod] = await twoPods();
    const fallen = await start(newPod, second());
    await start(oldPod, first());
    await fallen.close();
    await publish(newPod, notePinned, 1);
    await publish(newPod, noteWritten, 2);
    await waitFor(async () => (await durable(newPod)).num_ack_pending === 1, { what: 'the old pod to hold it' });
    expect(await handled(newPod)).toEqual([]);
    await start(newPod, second('again'));
    await handledAll(newPod, [1, 2]);
    expect((await handled(newPod))[0]?.note).toBe('again notes.note.pinned');
    expect(await deadLetters(newPod)).toBe(0);
  });
});

describe('an event that nobody reacts to any more', () => {
  it('is asked for no longer after a rollback, and blocks nothing behind it', async () => {
    const [pod, other] = await twoPods();
    const tried = await start(other, second());
    await tried.close();
    const back = await start(pod, first(), { forsakenMs: 1_500 });
    await publish(pod, notePinned, 1);
    await publish(pod, noteWritten, 2);
    await handledAll(pod, [2]);
    expect(await askedFor(pod)).toEqual([subject(pod, noteWritten), replays(pod)]);
    await publish(pod, notePinned, 3);
    await publish(pod, noteWritten, 4);
    await handledAll(pod, [2, 4]);
    await settled(pod);
    expect(await deadLetters(pod)).toBe(0);
    expect(await back.counted()).toMatch(/outcome="left",service="reader"\} 1/);
  });

  it('is asked for no longer once the last pod that reacted to it has gone, though none comes', async () => {
    const [oldPod, newPod] = await twoPods();
    const old = await start(oldPod, second());
    await start(newPod, first(), { forsakenMs: 300 });
    await publish(newPod, noteWritten, 1);
    await handledAll(newPod, [1]);
    expect(await askedFor(newPod)).toContain(subject(newPod, notePinned));
    await old.close();
    await waitFor(async () => (await askedFor(newPod)).length === 2, { what: 'it to be asked for no longer' });
  });
});

describe('a stream', () => {
  const streamOf = async (pod: Pod) => (await pod.messaging.manager.streams.info(pod.messaging.stream('notes'))).config;

  it('that keeps less than its service asks for is widened when it starts', async () => {
    const pod = await onePod();
    const owner = { ...pod.messaging, service: 'notes', knownStreams: new Set<string>() };
    await ensureStream(pod.messaging, 'notes');
    const before = await streamOf(pod);
    await pod.messaging.manager.streams.update(before.name, { max_age: before.max_age / 2, duplicate_window: 1e9 });
    await publish(pod, noteWritten, 1);
    await ensureStream(owner, 'notes');
    expect(await streamOf(pod)).toMatchObject({
      max_age: before.max_age,
      duplicate_window: before.duplicate_window,
    });
    await start(pod, first(), { from: 'all' });
    await handledAll(pod, [1]);
  });

  it('that keeps more, or is of another service, stays as it is', async () => {
    const pod = await onePod();
    const stream = await ensureStream(pod.messaging, 'notes');
    const { max_age } = await streamOf(pod);
    for (const [service, kept] of [
      ['notes', max_age * 2],
      ['notes', 0],
      ['reader', max_age / 2],
    ] as const) {
      await pod.messaging.manager.streams.update(stream, { max_age: kept });
      await ensureStream({ ...pod.messaging, service, knownStreams: new Set<string>() }, 'notes');
      expect((await streamOf(pod)).max_age).toBe(kept);
    }
  });
});
