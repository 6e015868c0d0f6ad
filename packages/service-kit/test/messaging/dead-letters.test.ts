import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { CHECKOUT } from '@atrium/dev-server/backing/launcher-context';
import { type EventDefinition, type EventOf, subjectOf } from '@atrium/proto-events/event';
import { startConsumer } from '@atrium/service-kit/messaging/consumer/consumer';
import { on, subscription } from '@atrium/service-kit/messaging/subscription';
import { createMetrics } from '@atrium/service-kit/observability/metrics';
import type { Queryable } from '@atrium/service-kit/postgres/postgres';
import { closeAfterEach } from '@atrium/test-kit/close-after-each';
import { waitFor } from '@atrium/test-kit/wait-for';
import { findDeadLetter, readDeadLetters, replayDeadLetter } from '@atrium/tools/dead-letters/dead-letters';
import { connectInstallation, type Installation, readEnvConfig } from '@atrium/tools/dead-letters/installation';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { exampleEvent, publishEvent } from '../notes.ts';
import { openPods, type Pod, quiet } from '../pods.ts';

const run = promisify(execFile);

type Handler = (event: EventOf<typeof exampleEvent>, tx: Queryable) => Promise<void>;

let pod: Pod;
let installation: Installation;
let env: NodeJS.ProcessEnv;
const resources = closeAfterEach();
beforeEach(async () => {
  const [openedPod] = await openPods(1);
  if (!openedPod) throw new Error('no pod');
  pod = openedPod;
  resources.push(pod);
  const prefix = pod.messaging.subject('').slice(0, -1);
  env = { PATH: process.env.PATH, NATS_URL: pod.natsUrl, NATS_PREFIX: prefix, READER_DATABASE_URL: pod.database };
  installation = await connectInstallation(readEnvConfig(env));
  resources.push(installation);
});

const record: Handler = async ({ data }, tx) => {
  await tx.query('insert into handled (note, n) values ($1, $2)', [data.note, data.n]);
};
const readHandled = async () =>
  (await pod.db.query<{ n: number }>('select n from handled order by position')).rows.map(({ n }) => n);

async function consume(name: string, handler: Handler, attempts = 2): Promise<void> {
  resources.push(
    await startConsumer(subscription({ name, handlers: [on(exampleEvent, handler)], attempts, from: 'all' }), {
      service: 'reader',
      messaging: pod.messaging,
      db: pod.db,
      log: quiet,
      metrics: createMetrics('reader'),
    }),
  );
}

const publish = (n: number, event: EventDefinition = exampleEvent) =>
  publishEvent(pod.messaging, { event, data: { note: 'a', n }, aggregate: 'note a' });

const waitForLetters = async (count: number) => {
  await waitFor(async () => (await readDeadLetters(installation)).length === count, {
    description: `${count} dead letters`,
  });
  return readDeadLetters(installation);
};

/** A subscription that fails until it is repaired, and another one that succeeds. */
async function startTwoSubscriptions() {
  const state = { isFixed: false, otherCount: 0 };
  await consume('notes', async (event, tx) => {
    await record(event, tx);
    if (!state.isFixed) throw new Error('a bug\nin a handler');
  });
  await consume('others', async () => {
    state.otherCount += 1;
  });
  return state;
}

describe('a dead letter', () => {
  it('contains its origin, its aggregate, and the reason', async () => {
    await publish(0);
    await startTwoSubscriptions();
    await publish(1);
    const [, letter] = await waitForLetters(2);
    expect(letter).toMatchObject({
      source: 'reader-notes',
      eventType: subjectOf(exampleEvent),
      aggregate: 'note a',
      sequence: '2',
      reason: 'Error: a bug in a handler',
    });
  });

  it('is handled once on replay, only by its subscription, and then removed', async () => {
    const state = await startTwoSubscriptions();
    await publish(1);
    const [letter] = await waitForLetters(1);
    state.isFixed = true;
    const id = letter?.id ?? '';
    // Two concurrent operators: the second does not find it, or changes nothing.
    const outcomes = await Promise.allSettled([replayDeadLetter(installation, id), replayDeadLetter(installation, id)]);
    expect(outcomes.map(({ status }) => status)).toContain('fulfilled');
    await waitFor(async () => (await readHandled()).length > 0, { description: 'its effect' });
    await publish(2);
    await waitFor(async () => (await readHandled()).at(-1) === 2, { description: 'the next event' });
    expect(await readHandled()).toEqual([1, 2]);
    expect(await readDeadLetters(installation)).toEqual([]);
    await waitFor(() => state.otherCount === 2, {
      description: 'the other subscription to have handled both events once',
    });
  });

  it('is dead-lettered again with its metadata if the replay fails', async () => {
    await startTwoSubscriptions();
    await publish(1);
    const [letter] = await waitForLetters(1);
    await replayDeadLetter(installation, letter?.id ?? '');
    await waitFor(async () => (await readDeadLetters(installation)).some(({ id }) => id !== letter?.id), {
      description: 'the next dead letter',
    });
    const [nextLetter] = await readDeadLetters(installation);
    expect(nextLetter).toMatchObject({
      eventType: letter?.eventType,
      sequence: '1',
      aggregate: 'note a',
      reason: letter?.reason,
    });
  });

  it('is not replayed without a consumer that handles it', async () => {
    await startTwoSubscriptions();
    await publish(1);
    const [letter] = await waitForLetters(1);
    const stream = pod.messaging.stream('notes');
    for (const resource of resources.splice(2)) await resource.close();
    await pod.messaging.manager.consumers.update(stream, 'reader-notes', {
      filter_subjects: [pod.messaging.subject(subjectOf(exampleEvent))],
    });
    await expect(replayDeadLetter(installation, letter?.id ?? '')).rejects.toThrow('an older version');
    await pod.messaging.manager.consumers.delete(stream, 'reader-notes');
    await expect(replayDeadLetter(installation, letter?.id ?? '')).rejects.toThrow(
      'Subscription reader-notes no longer exists',
    );
    expect((await findDeadLetter(installation, letter?.id ?? '')).source).toBe('reader-notes');
  });
});

describe.each([
  ['npm run dead-letters', ['tools/dead-letters/main.ts']],
  ['the operator image', ['tools/backup/main.ts', 'dead-letters']],
])('%s', (_name, [file, ...command]) => {
  const runCommand = async (...args: string[]) => {
    const commandLine = ['--disable-warning=ExperimentalWarning', `${CHECKOUT}${file}`, ...command, ...args];
    return (await run(process.execPath, commandLine, { env })).stdout;
  };

  it('lists, shows, and drops dead letters and rejected outbox rows', async () => {
    await startTwoSubscriptions();
    await publish(1);
    const [letter] = await waitForLetters(1);
    const { rows } = await pod.db.query<{ id: number }>(
      `insert into outbox (subject, message_id, aggregate, payload, rejected_at, rejection)
       values ('notes.note.written.v1', 'large', 'note b', '{"n":1}', now(), '2 bytes too many') returning id`,
    );
    const row = `reader/${rows[0]?.id}`;
    const listed = await runCommand('list');
    expect(listed).toMatch(
      new RegExp(`^${letter?.id}  reader-notes  notes.note.written.v1  note a  \\S+  Error: a bug`, 'm'),
    );
    expect(listed).toMatch(new RegExp(`^${row}  outbox of reader  notes.note.written.v1  note b  \\S+  2 bytes`, 'm'));
    expect(await runCommand('show', letter?.id ?? '')).toMatch(/"n": 1/);
    await runCommand('drop', letter?.id ?? '');
    await runCommand('replay', row);
    expect(await runCommand('list')).toBe('No dead letters.\n');
    expect((await pod.db.query('select from outbox where rejected_at is null')).rowCount).toBe(1);
    await expect(runCommand('show', '99')).rejects.toThrow('Dead letter 99 not found.');
  });
});
