import { defineEvent, type EventDefinition } from '@atrium/proto-events/event';
import { startConsumer } from '@atrium/service-kit/messaging/consumer/consumer';
import { DEAD_LETTERS, requireStream } from '@atrium/service-kit/messaging/messaging';
import { appendEvent } from '@atrium/service-kit/messaging/outbox';
import { startRelay } from '@atrium/service-kit/messaging/outbox-relay';
import { on, type Reaction, subscription, upcastFrom } from '@atrium/service-kit/messaging/subscription';
import { createMetrics } from '@atrium/service-kit/observability/metrics';
import { closeAfterEach } from '@atrium/test-kit/close-after-each';
import { waitFor } from '@atrium/test-kit/wait-for';
import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { exampleEvent } from '../notes.ts';
import { openPods, type Pod, quiet } from '../pods.ts';

/** Version 2 has two fields instead of one text, a change that an optional field could not express. */
const exampleEventV2 = defineEvent(
  'notes.note.written',
  2,
  z.object({ words: z.string(), color: z.enum(['white', 'red']), n: z.int() }),
);

const open = closeAfterEach();

async function twoPods(): Promise<[Pod, Pod]> {
  const [one, other] = await openPods(2);
  if (!one || !other) throw new Error('no pods');
  open.push(one, other);
  // The producer's service.
  open.push(startRelay('notes', one, one.messaging, quiet));
  return [one, other];
}

const writeDown = (note: string, n: number): [string, unknown[]] => [
  'insert into handled (note, n) values ($1, $2)',
  [note, n],
];

/** A handler of the previous release, which knows only version 1. */
const old = on(exampleEvent, async ({ data }, tx) => void (await tx.query(...writeDown(`old ${data.note}`, data.n))));

/** A handler of the current release for both versions. */
const present = on(
  exampleEventV2,
  async ({ version, data }, tx) =>
    void (await tx.query(...writeDown(`${data.color} ${data.words} v${version}`, data.n))),
  upcastFrom(exampleEvent, ({ note, n }) => ({ words: note, color: 'white' as const, n })),
);

async function start(pod: Pod, reaction: Reaction): Promise<void> {
  open.push(
    await startConsumer(subscription({ name: 'notes', reactions: [reaction] }), {
      service: 'reader',
      messaging: pod.messaging,
      db: pod.db,
      log: quiet,
      metrics: createMetrics('reader'),
    }),
  );
}

const publish = ({ db }: Pod, n: number, version: 1 | 2) =>
  db.transaction((tx) => {
    const about = { aggregate: 'a note', actorId: null };
    return version === 1
      ? appendEvent(tx, { event: exampleEvent, data: { note: 'hello', n }, ...about })
      : appendEvent(tx, { event: exampleEventV2, data: { words: 'hello', color: 'red', n }, ...about });
  });

type Handled = { note: string; n: number };
const handled = async ({ db }: Pod, count: number): Promise<Handled[]> => {
  const read = async () => (await db.query<Handled>('select note, n from handled order by position')).rows;
  await waitFor(async () => (await read()).length >= count, { what: `${count} to be handled` });
  return read();
};
const deadLetters = async ({ messaging }: Pod) =>
  (await messaging.manager.streams.info(await requireStream(messaging, DEAD_LETTERS))).state.messages;

describe('an event with two versions', () => {
  it('reaches one handler in either version', async () => {
    const [pod] = await twoPods();
    await start(pod, present);
    await publish(pod, 1, 1);
    await publish(pod, 2, 2);
    await publish(pod, 3, 1);
    expect(await handled(pod, 3)).toEqual([
      { note: 'white hello v2', n: 1 },
      { note: 'red hello v2', n: 2 },
      { note: 'white hello v2', n: 3 },
    ]);
  });

  it('is left by an old pod to a new one, in order and without a dead letter', async () => {
    const [oldPod, newPod] = await twoPods();
    await start(oldPod, old);
    // The old pod leads when the new one starts.
    await publish(newPod, 1, 1);
    expect(await handled(newPod, 1)).toEqual([{ note: 'old hello', n: 1 }]);
    await start(newPod, present);
    for (let n = 2; n <= 40; n += 1) await publish(newPod, n, n % 2 ? 1 : 2);
    const all = await handled(newPod, 40);
    expect(all.map(({ n }) => n)).toEqual(Array.from({ length: 40 }, (_, index) => index + 1));
    const second = all.filter(({ n }) => n % 2 === 0);
    expect(new Set(second.map(({ note }) => note))).toEqual(new Set(['red hello v2']));
    expect(await deadLetters(newPod)).toBe(0);
  });

  it('is dead-lettered immediately if it cannot be converted', async () => {
    const [pod] = await twoPods();
    const lost = on(
      exampleEventV2,
      async () => undefined,
      upcastFrom(exampleEvent, () => ({ words: 'hello' }) as never),
    );
    await start(pod, lost);
    await publish(pod, 1, 1);
    await waitFor(async () => (await deadLetters(pod)) === 1, { what: 'the dead letter' });
  });

  it('upcastFrom rejects another event', () => {
    const other: EventDefinition = defineEvent('notes.note.pinned', 1, exampleEvent.data);
    expect(() =>
      on(
        exampleEventV2,
        async () => undefined,
        upcastFrom(other, () => ({}) as never),
      ),
    ).toThrow('notes.note.pinned.v1 is not a version of notes.note.written');
  });
});
