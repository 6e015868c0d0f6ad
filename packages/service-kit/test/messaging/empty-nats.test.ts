import type { EventOf } from '@atrium/proto-events/event';
import { sessionRevoked } from '@atrium/proto-events/events/auth';
import { createDirectory } from '@atrium/service-kit/directory/directory';
import { followDirectory, userKey } from '@atrium/service-kit/directory/follow-directory';
import { createRevocations, followRevocations } from '@atrium/service-kit/directory/revocations';
import { startConsumer } from '@atrium/service-kit/messaging/consumer/consumer';
import { appendDirectoryEntry, appendEvent } from '@atrium/service-kit/messaging/outbox';
import { startRelay } from '@atrium/service-kit/messaging/outbox-relay';
import { on, type Subscription, subscription } from '@atrium/service-kit/messaging/subscription';
import { createMetrics } from '@atrium/service-kit/observability/metrics';
import type { Queryable } from '@atrium/service-kit/postgres/postgres';
import { newId } from '@atrium/service-kit/process/new-id';
import { buildUser } from '@atrium/test-kit/build-user';
import { closeAfterEach } from '@atrium/test-kit/close-after-each';
import { waitFor } from '@atrium/test-kit/wait-for';
import { describe, expect, it } from '@jest/globals';
import { exampleEvent, publishEvent } from '../notes.ts';
import { openPods, type Pod, quiet, recreateStreams } from '../pods.ts';
import { type PrivateNats, startPrivateNats } from '../private-nats.ts';

const resources = closeAfterEach();

async function start(): Promise<{ nats: PrivateNats; pod: Pod }> {
  const nats = await startPrivateNats();
  resources.push(nats);
  const [pod] = await openPods(1, nats.url);
  if (!pod) throw new Error('no pod');
  resources.push(pod);
  return { nats, pod };
}

const record =
  (name: string) =>
  async ({ data }: EventOf<typeof exampleEvent>, tx: Queryable) => {
    await tx.query('insert into handled (note, n) values ($1, $2)', [name, data.n]);
  };

async function consume(pod: Pod, name: string, options: Partial<Subscription>): Promise<void> {
  resources.push(
    await startConsumer(subscription({ name, handlers: [on(exampleEvent, record(name))], ...options }), {
      service: 'reader',
      messaging: pod.messaging,
      db: pod.db,
      log: quiet,
      metrics: createMetrics('reader'),
    }),
  );
}

const write = (pod: Pod, n: number) =>
  pod.db.transaction((tx) =>
    appendEvent(tx, { event: exampleEvent, data: { note: 'a', n }, aggregate: 'a', actorId: null }),
  );

const readHandled = async (pod: Pod, name: string) =>
  (await pod.db.query<{ n: number }>('select n from handled where note = $1 order by position', [name])).rows.map(
    ({ n }) => n,
  );

describe('NATS after a loss of all data', () => {
  it('recreates the durables once an operator has created the streams, without losing events in outboxes', async () => {
    const { nats, pod } = await start();
    resources.push(startRelay('notes', pod, { messaging: pod.messaging, log: quiet }));
    const optionsByName = {
      'from-now-on': {},
      'from-the-past': { from: 'all' },
      unordered: { unordered: 8, inbox: false },
    } as const;
    for (const [name, options] of Object.entries(optionsByName)) await consume(pod, name, options);
    await write(pod, 1);
    const waitForHandled = (numbers: number[]) =>
      waitFor(
        async () => {
          for (const name of Object.keys(optionsByName)) expect(await readHandled(pod, name)).toEqual(numbers);
          return true;
        },
        { description: `${numbers} to be handled` },
      );
    await waitForHandled([1]);
    await nats.stop();
    await write(pod, 2);
    await nats.startEmpty();
    await recreateStreams(pod);
    await waitForHandled([1, 2]);
    await write(pod, 3);
    await waitForHandled([1, 2, 3]);
  });

  it('is followed from the beginning for the directory and revocations, and the owner refills the directory', async () => {
    const { nats, pod } = await start();
    resources.push(startRelay('users', pod, { messaging: pod.messaging, log: quiet }));
    const directory = createDirectory();
    resources.push(await followDirectory(directory, pod.messaging, { log: quiet, confirmIntervalMs: 1_000 }));
    const revocations = createRevocations();
    resources.push(await followRevocations(revocations, pod.messaging, quiet));
    let emptiedCount = 0;
    directory.onEmptied(() => {
      emptiedCount += 1;
    });
    const user = buildUser();
    const changeUser = (version: number, lastName: string) => {
      const changedUser = { ...user, version, lastName };
      return pod.db.transaction((tx) => appendDirectoryEntry(tx, userKey(user._id), changedUser));
    };
    for (let version = 1; version <= 20; version += 1) await changeUser(version, `Name ${version}`);
    await waitFor(() => directory.user(user._id)?.version === 20, { description: 'the user' });
    await nats.stop();
    await changeUser(21, 'Changed during the outage');
    await nats.startEmpty();
    await recreateStreams(pod);
    await waitFor(() => directory.user(user._id)?.lastName === 'Changed during the outage', {
      description: 'the change',
    });
    expect(emptiedCount).toBe(1);
    const confirmStart = performance.now();
    await waitFor(() => directory.ageMs() < performance.now() - confirmStart, {
      description: 'the directory to be confirmed',
    });

    const sessionId = newId();
    const data = { sessionId, userId: user._id, reason: 'logout' } as const;
    const revocation = { event: sessionRevoked, data, aggregate: sessionId };
    await waitFor(() => publishEvent(pod.messaging, revocation).then(() => true), {
      description: 'NATS to accept the revocation',
    });
    await waitFor(() => revocations.has(sessionId), { description: 'the revocation' });
  });
});
