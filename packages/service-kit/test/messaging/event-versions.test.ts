import { defineEvent, type EventDefinition } from '@atrium/proto-events/event';
import { startConsumer } from '@atrium/service-kit/messaging/consumer/consumer';
import { DEAD_LETTERS, requireStream } from '@atrium/service-kit/messaging/messaging';
import { appendEvent } from '@atrium/service-kit/messaging/outbox';
import { startRelay } from '@atrium/service-kit/messaging/outbox-relay';
import { type EventHandler, on, subscription, upcastFrom } from '@atrium/service-kit/messaging/subscription';
import { createMetrics } from '@atrium/service-kit/observability/metrics';
import { closeAfterEach } from '@atrium/test-kit/close-after-each';
import { waitFor } from '@atrium/test-kit/wait-for';
import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { exampleEvent } from '../notes.ts';
import { openPods, type Pod, quiet } from '../pods.ts';

/** Version 2 has two fields instead of one, a change that an optional field could not express. */
const exampleEventV2 = defineEvent(
  'notes.note.written',
  2,
  z.object({ words: z.string(), color: z.enum(['white', 'red']), n: z.int() }),
);

const resources = closeAfterEach();

async function openTwoPods(): Promise<[Pod, Pod]> {
  const [first, second] = await openPods(2);
  if (!first || !second) throw new Error('no pods');
  resources.push(first, second);
  // The relay of the producing service.
  resources.push(startRelay('notes', first, { messaging: first.messaging, log: quiet }));
  return [first, second];
}

const insertHandled = (note: string, n: number): [string, unknown[]] => [
  'insert into handled (note, n) values ($1, $2)',
  [note, n],
];

/** A handler of the previous release, which knows only version 1. */
const previousHandler = on(
  exampleEvent,
  async ({ data }, tx) => void (await tx.query(...insertHandled(`old ${data.note}`, data.n))),
);

/** A handler of the current release for both versions. */
const currentHandler = on(
  exampleEventV2,
  async ({ version, data }, tx) =>
    void (await tx.query(...insertHandled(`${data.color} ${data.words} v${version}`, data.n))),
  upcastFrom(exampleEvent, ({ note, n }) => ({ words: note, color: 'white' as const, n })),
);

async function start(pod: Pod, handler: EventHandler): Promise<void> {
  resources.push(
    await startConsumer(subscription({ name: 'notes', handlers: [handler] }), {
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
    const commonFields = { aggregate: 'a note', actorId: null };
    return version === 1
      ? appendEvent(tx, { event: exampleEvent, data: { note: 'hello', n }, ...commonFields })
      : appendEvent(tx, { event: exampleEventV2, data: { words: 'hello', color: 'red', n }, ...commonFields });
  });

type Handled = { note: string; n: number };
const waitForHandled = async ({ db }: Pod, count: number): Promise<Handled[]> => {
  const read = async () => (await db.query<Handled>('select note, n from handled order by position')).rows;
  await waitFor(async () => (await read()).length >= count, { description: `${count} to be handled` });
  return read();
};
const countDeadLetters = async ({ messaging }: Pod) =>
  (await messaging.manager.streams.info(await requireStream(messaging, DEAD_LETTERS))).state.messages;

describe('an event with two versions', () => {
  it('reaches one handler in either version', async () => {
    const [pod] = await openTwoPods();
    await start(pod, currentHandler);
    await publish(pod, 1, 1);
    await publish(pod, 2, 2);
    await publish(pod, 3, 1);
    expect(await waitForHandled(pod, 3)).toEqual([
      { note: 'white hello v2', n: 1 },
      { note: 'red hello v2', n: 2 },
      { note: 'white hello v2', n: 3 },
    ]);
  });

  it('is left for a new pod by an old one, in order and without a dead letter', async () => {
    const [oldPod, newPod] = await openTwoPods();
    await start(oldPod, previousHandler);
    // The old pod leads when the new one starts.
    await publish(newPod, 1, 1);
    expect(await waitForHandled(newPod, 1)).toEqual([{ note: 'old hello', n: 1 }]);
    await start(newPod, currentHandler);
    for (let n = 2; n <= 40; n += 1) await publish(newPod, n, n % 2 ? 1 : 2);
    const rows = await waitForHandled(newPod, 40);
    expect(rows.map(({ n }) => n)).toEqual(Array.from({ length: 40 }, (_, index) => index + 1));
    const secondVersionRows = rows.filter(({ n }) => n % 2 === 0);
    expect(new Set(secondVersionRows.map(({ note }) => note))).toEqual(new Set(['red hello v2']));
    expect(await countDeadLetters(newPod)).toBe(0);
  });

  it('is dead-lettered immediately if it cannot be converted', async () => {
    const [pod] = await openTwoPods();
    const brokenHandler = on(
      exampleEventV2,
      async () => undefined,
      upcastFrom(exampleEvent, () => ({ words: 'hello' }) as never),
    );
    await start(pod, brokenHandler);
    await publish(pod, 1, 1);
    await waitFor(async () => (await countDeadLetters(pod)) === 1, { description: 'the dead letter' });
  });
});

describe('upcastFrom', () => {
  it('rejects a different event', () => {
    const differentEvent: EventDefinition = defineEvent('notes.note.pinned', 1, exampleEvent.data);
    expect(() =>
      on(
        exampleEventV2,
        async () => undefined,
        upcastFrom(differentEvent, () => ({}) as never),
      ),
    ).toThrow('notes.note.pinned.v1 is not a version of notes.note.written');
  });
});
