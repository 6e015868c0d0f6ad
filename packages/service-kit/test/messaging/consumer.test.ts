import { type EventOf, subjectOf } from '@atrium/proto-events/event';
import { AppError, unavailable } from '@atrium/service-kit/errors/app-error';
import { startConsumer } from '@atrium/service-kit/messaging/consumer/consumer';
import { LEADER_GROUP } from '@atrium/service-kit/messaging/consumer/durable';
import { retryDelay } from '@atrium/service-kit/messaging/consumer/process-event';
import { aggregateHeaders, requireStream } from '@atrium/service-kit/messaging/messaging';
import { outboxRow } from '@atrium/service-kit/messaging/outbox';
import { on, subscription } from '@atrium/service-kit/messaging/subscription';
import { createMetrics } from '@atrium/service-kit/observability/metrics';
import { requestContext } from '@atrium/service-kit/observability/request-context';
import type { Queryable } from '@atrium/service-kit/postgres/postgres';
import { newId } from '@atrium/service-kit/process/new-id';
import { closeAfterEach } from '@atrium/test-kit/close-after-each';
import { waitFor } from '@atrium/test-kit/wait-for';
import { describe, expect, it } from '@jest/globals';
import { exampleEvent } from '../notes.ts';
import { openPods, type Pod, quiet } from '../pods.ts';
import { startPrivateNats } from '../private-nats.ts';

type Handler = (event: EventOf<typeof exampleEvent>, tx: Queryable) => Promise<void>;
type Options = Partial<Parameters<typeof subscription>[0]>;

const resources = closeAfterEach();

async function onePod(natsUrl?: string): Promise<Pod> {
  const [pod] = await openPods(1, natsUrl);
  if (!pod) throw new Error('no pod');
  resources.push(pod);
  return pod;
}

const record: Handler = async ({ data }, tx) => {
  await tx.query('insert into handled (note, n) values ($1, $2)', [data.note, data.n]);
};

async function consume(pod: Pod, handler: Handler = record, options: Options = {}) {
  const metrics = createMetrics('reader');
  const deps = { service: 'reader', messaging: pod.messaging, db: pod.db, log: quiet, metrics };
  const running = await startConsumer(
    subscription({ name: 'notes', handlers: [on(exampleEvent, handler)], from: 'all', ...options }),
    deps,
  );
  resources.push(running);
  return { ...running, metrics };
}

type Sent = { id?: string; note?: string; n?: number; payload?: unknown; requestId?: string };

/** Publishes like the relay, but with a unique message id, so that JetStream does not deduplicate repeats. */
async function publish(
  pod: Pod,
  { id = newId(), note = 'a', n = 1, requestId = id, ...sent }: Sent = {},
): Promise<void> {
  await requireStream(pod.messaging, 'notes');
  const row = outboxRow({ event: exampleEvent, data: { note, n }, aggregate: note, actorId: null, id });
  const event = { ...JSON.parse(row.payload), requestId };
  const payload = 'payload' in sent ? sent.payload : event;
  await pod.messaging.js.publish(
    pod.messaging.subject(subjectOf(exampleEvent)),
    typeof payload === 'string' ? payload : JSON.stringify(payload),
    { msgID: newId(), headers: aggregateHeaders(note) },
  );
}

const readHandled = async (pod: Pod) =>
  (await pod.db.query<{ n: number }>('select n from handled order by position')).rows.map(({ n }) => n);
const waitForHandled = (pod: Pod, numbers: number[], timeoutMs = 10_000) =>
  waitFor(async () => (await readHandled(pod)).length >= numbers.length, {
    description: `${numbers} to be handled`,
    timeoutMs,
  }).then(async () => expect(await readHandled(pod)).toEqual(numbers));

/** Reads how many events are in flight, waiting, and done. */
async function readProgress(pod: Pod) {
  const stream = pod.messaging.stream('notes');
  const info = await pod.messaging.manager.consumers.info(stream, 'reader-notes');
  return { inFlight: info.num_ack_pending, pending: info.num_pending };
}
const waitUntilConsumed = (pod: Pod) =>
  waitFor(
    async () => {
      const { inFlight, pending } = await readProgress(pod);
      return inFlight === 0 && pending === 0;
    },
    { description: 'everything to be consumed' },
  );

async function readDeadLetters(pod: Pod): Promise<string[]> {
  const stream = await requireStream(pod.messaging, 'dead');
  const { state } = await pod.messaging.manager.streams.info(stream);
  const letters: string[] = [];
  for (let seq = state.first_seq; seq <= state.last_seq && state.messages > 0; seq += 1) {
    const message = await pod.messaging.manager.streams.getMessage(stream, { seq });
    if (message) letters.push(`${message.subject} ${message.string()}`);
  }
  return letters;
}

describe('startConsumer', () => {
  it('takes over the events in flight of a crashed pod within seconds', async () => {
    const pod = await onePod();
    const first = await consume(pod);
    await first.close();
    await publish(pod, { n: 1 });
    const durable = await pod.messaging.js.consumers.get(pod.messaging.stream('notes'), 'reader-notes');
    const messages = await durable.fetch({ max_messages: 1, expires: 30_000, group: LEADER_GROUP });
    const { value } = await messages[Symbol.asyncIterator]().next();
    expect(value?.json()).toMatchObject({ data: { n: 1 } });
    await consume(pod);
    await waitForHandled(pod, [1]);
  });

  it('keeps an event until its handler is done', async () => {
    const pod = await onePod();
    let startCount = 0;
    await consume(pod, async (event, tx) => {
      startCount += 1;
      await tx.query('select pg_sleep(8)');
      await record(event, tx);
    });
    await publish(pod, { n: 1 });
    await waitForHandled(pod, [1], 15_000);
    await waitUntilConsumed(pod);
    expect(startCount).toBe(1);
  });

  it('handles earlier and later events, in order', async () => {
    const pod = await onePod();
    for (const n of [1, 2, 3]) await publish(pod, { n });
    await consume(pod);
    for (const n of [4, 5]) await publish(pod, { n });
    await waitForHandled(pod, [1, 2, 3, 4, 5]);
  });

  it('starts with new events by default', async () => {
    const pod = await onePod();
    await publish(pod, { n: 1 });
    await consume(pod, record, { from: subscription({ name: 'x', handlers: [on(exampleEvent, record)] }).from });
    await publish(pod, { n: 2 });
    await waitForHandled(pod, [2]);
  });

  it('handles a redelivered event only once', async () => {
    const pod = await onePod();
    await consume(pod);
    await publish(pod, { id: 'same-event', n: 1 });
    await publish(pod, { id: 'same-event', n: 1 });
    await publish(pod, { n: 2 });
    await waitForHandled(pod, [1, 2]);
    await waitUntilConsumed(pod);
    expect(await readHandled(pod)).toEqual([1, 2]);
  });

  it('resumes after a restart without repeating events', async () => {
    const pod = await onePod();
    const first = await consume(pod);
    await publish(pod, { n: 1 });
    await waitForHandled(pod, [1]);
    await waitUntilConsumed(pod);
    await first.close();
    await publish(pod, { n: 2 });
    await consume(pod);
    await waitForHandled(pod, [1, 2]);
  });

  it('finishes the event in flight before it closes', async () => {
    const pod = await onePod();
    const { promise: hasBegun, resolve: begin } = Promise.withResolvers<void>();
    const { promise: finish, resolve: allowFinish } = Promise.withResolvers<void>();
    const runningConsumer = await consume(pod, async (event, tx) => {
      begin();
      await finish;
      await record(event, tx);
    });
    await publish(pod, { n: 1 });
    await hasBegun;
    const closing = runningConsumer.close();
    allowFinish();
    await closing;
    expect(await readHandled(pod)).toEqual([1]);
  });

  it('handles each event once and sequentially across pods', async () => {
    const pods = await openPods(3);
    resources.push(...pods);
    const [pod] = pods;
    if (!pod) throw new Error('no pod');
    let runningCount = 0;
    let maxRunningCount = 0;
    const handler: Handler = async (event, tx) => {
      runningCount += 1;
      maxRunningCount = Math.max(maxRunningCount, runningCount);
      await record(event, tx);
      runningCount -= 1;
    };
    for (const eachPod of pods) await consume(eachPod, handler);
    const numbers = Array.from({ length: 30 }, (_, index) => index + 1);
    for (const n of numbers) await publish(pod, { n });
    await waitForHandled(pod, numbers);
    expect(maxRunningCount).toBe(1);
  });

  it('passes the request id of the event to the handler', async () => {
    const pod = await onePod();
    const { promise, resolve } = Promise.withResolvers<string | undefined>();
    await consume(pod, async () => resolve(requestContext.getStore()?.requestId));
    await publish(pod, { requestId: 'request-0001' });
    expect(await promise).toBe('request-0001');
  });

  it('resumes automatically after an outage of NATS', async () => {
    const nats = await startPrivateNats();
    resources.push(nats);
    const pod = await onePod(nats.url);
    await consume(pod);
    await publish(pod, { n: 1 });
    await waitForHandled(pod, [1]);
    await nats.stop();
    await nats.start();
    await waitFor(() => publish(pod, { n: 2 }).then(() => true), {
      description: 'NATS to accept an event again',
      intervalMs: 200,
    });
    await waitFor(async () => (await readHandled(pod)).at(-1) === 2, {
      description: 'the event to be handled',
    });
  });
});

describe('a failing handler', () => {
  it('is retried with a growing delay, before later events, and rolled back', async () => {
    const pod = await onePod();
    const attempts: number[] = [];
    await consume(pod, async (event, tx) => {
      if (event.data.n !== 1) return record(event, tx);
      attempts.push(performance.now());
      await record(event, tx);
      if (attempts.length < 4) throw new Error('not yet');
    });
    await publish(pod, { n: 1 });
    await publish(pod, { n: 2 });
    await waitForHandled(pod, [1, 2]);
    const delays = attempts.slice(1).map((time, index) => time - (attempts[index] ?? 0));
    expect(delays).toHaveLength(3);
    delays.forEach((time, index) => {
      expect(time).toBeGreaterThanOrEqual(retryDelay(index + 1) - 5);
    });
    expect(await readDeadLetters(pod)).toEqual([]);
  });

  it('is given up after its attempts: the event is dead-lettered, and the next one is handled', async () => {
    const pod = await onePod();
    let attempts = 0;
    const { metrics } = await consume(
      pod,
      async (event, tx) => {
        if (event.data.n === 2) return record(event, tx);
        attempts += 1;
        throw new Error('never');
      },
      { attempts: 3 },
    );
    await publish(pod, { id: 'poison', n: 1 });
    await publish(pod, { n: 2 });
    await waitForHandled(pod, [2]);
    expect(attempts).toBe(3);
    const letters = await readDeadLetters(pod);
    expect(letters).toHaveLength(1);
    expect(letters[0]).toContain(`${pod.messaging.subject('dead.reader.notes')} {"id":"poison"`);
    const metricsText = await metrics.registry.metrics();
    expect(metricsText).toMatch(/events_consumed_total\{consumer="reader-notes",outcome="dead",service="reader"\} 1/);
    expect(metricsText).toMatch(/outcome="retried",service="reader"\} 2/);
  });

  it('is retried indefinitely, without counting attempts, while a dependency is unavailable', async () => {
    const pod = await onePod();
    let attempts = 0;
    await consume(
      pod,
      async (event, tx) => {
        attempts += 1;
        if (attempts < 4) throw unavailable('The store is unavailable');
        // The first failure that counts as an attempt.
        if (attempts === 4) throw new Error('deadlock detected');
        await record(event, tx);
      },
      { attempts: 2 },
    );
    await publish(pod, { n: 1 });
    await waitForHandled(pod, [1]);
    expect(await readDeadLetters(pod)).toEqual([]);
  });

  it('is dead-lettered after a violated rule as well', async () => {
    const pod = await onePod();
    await consume(pod, () => Promise.reject(new AppError('conflict', 'No')), { attempts: 1 });
    await publish(pod);
    await waitFor(async () => (await readDeadLetters(pod)).length === 1, { description: 'the dead letter' });
  });
});

describe('an invalid payload', () => {
  it.each([
    ['not JSON', '{"id":'],
    ['no envelope', { note: 'a', n: 1 }],
    [
      'data of a different schema',
      {
        id: 'x',
        type: exampleEvent.type,
        version: 1,
        occurredAt: new Date().toISOString(),
        actorId: null,
        requestId: 'x',
        data: { n: 'one' },
      },
    ],
  ])('is dead-lettered immediately: %s', async (_description, payload) => {
    const pod = await onePod();
    let calls = 0;
    await consume(pod, async (event, tx) => {
      calls += 1;
      await record(event, tx);
    });
    await publish(pod, { payload });
    await publish(pod, { n: 2 });
    await waitForHandled(pod, [2]);
    expect(calls).toBe(1);
    const [letter] = await readDeadLetters(pod);
    expect(letter).toBe(
      `${pod.messaging.subject('dead.reader.notes')} ${typeof payload === 'string' ? payload : JSON.stringify(payload)}`,
    );
  });
});

describe('a subscription without an inbox', () => {
  it('passes redeliveries to the handler, which must be idempotent', async () => {
    const pod = await onePod();
    await consume(pod, record, { inbox: false });
    await publish(pod, { id: 'same-event' });
    await publish(pod, { id: 'same-event' });
    await waitForHandled(pod, [1, 1]);
  });
});

describe('subscription', () => {
  it('accepts events of one producer only', () => {
    const otherEvent = { ...exampleEvent, type: 'others.note.written' };
    const handlers = [on(exampleEvent, record), on(otherEvent, async () => undefined)];
    expect(() => subscription({ name: 'both', handlers })).toThrow('both must handle events of exactly one producer');
    expect(() => subscription({ name: 'none', handlers: [] })).toThrow(
      'none must handle events of exactly one producer',
    );
  });

  it('increases the retry delay up to a minute', () => {
    expect([1, 2, 3, 4, 10, 11, 50].map(retryDelay)).toEqual([100, 200, 400, 800, 51_200, 60_000, 60_000]);
  });
});
