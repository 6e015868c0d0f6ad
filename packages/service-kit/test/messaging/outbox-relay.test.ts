import { setTimeout as delay } from 'node:timers/promises';
import { envelope, subjectOf } from '@atrium/proto-events/event';
import { type Messaging, requireStream } from '@atrium/service-kit/messaging/messaging';
import { appendDirectoryEntry, appendEvent, appendEvents } from '@atrium/service-kit/messaging/outbox';
import { startRelay } from '@atrium/service-kit/messaging/outbox-relay';
import { createDb, type Db } from '@atrium/service-kit/postgres/postgres';
import { closeAfterEach } from '@atrium/test-kit/close-after-each';
import { waitFor } from '@atrium/test-kit/wait-for';
import { describe, expect, it } from '@jest/globals';
import { Kvm } from '@nats-io/kv';
import { exampleEvent } from '../notes.ts';
import { openPods, type Pod, quiet, recreateStreams } from '../pods.ts';
import { startPrivateNats } from '../private-nats.ts';

const resources = closeAfterEach();

async function openRelayPods(count: number, natsUrl?: string): Promise<[Pod, ...Pod[]]> {
  const pods = await openPods(count, natsUrl);
  resources.push(...pods);
  const [first, ...rest] = pods;
  if (!first) throw new Error('no pod');
  return [first, ...rest];
}

function startPodRelay(pod: Pod) {
  const relay = startRelay('notes', pod, { messaging: pod.messaging, log: quiet });
  resources.push(relay);
  return relay;
}

/** Increments a note and appends an event, like a use case: the row lock orders the writers of one note. */
const write = (db: Db, note: string) =>
  db.transaction(async (tx) => {
    const { rows } = await tx.query<{ n: number }>(
      'insert into notes (id, n) values ($1, 1) on conflict (id) do update set n = notes.n + 1 returning n',
      [note],
    );
    const n = rows[0]?.n ?? 0;
    await appendEvent(tx, { event: exampleEvent, data: { note, n }, aggregate: note, actorId: null });
    return n;
  });

/** Reads the content of the stream, in order. */
async function readPublished(messaging: Messaging): Promise<{ note: string; n: number }[]> {
  const stream = await requireStream(messaging, 'notes');
  const { state } = await messaging.manager.streams.info(stream);
  const notes: { note: string; n: number }[] = [];
  for (let seq = state.first_seq; seq <= state.last_seq; seq += 1) {
    const message = await messaging.manager.streams.getMessage(stream, { seq });
    if (message?.subject !== messaging.subject(subjectOf(exampleEvent))) continue;
    notes.push(exampleEvent.data.parse(envelope.parse(message.json()).data));
  }
  return notes;
}

const countWaiting = async (db: Db) =>
  Number((await db.query<{ n: number }>('select count(*) as n from outbox')).rows[0]?.n);
const waitUntilEmpty = (db: Db, timeoutMs = 15_000) =>
  waitFor(async () => (await countWaiting(db)) === 0, { description: 'the outbox to be empty', timeoutMs });
const findLeader = async (db: Db) =>
  (await db.query<{ holder: string }>(`select holder from leases where name = 'relay'`)).rows[0]?.holder;

const removeDirectory = ({ messaging }: Pod) => messaging.manager.streams.delete(`KV_${messaging.directoryBucket}`);

describe('startRelay', () => {
  it('publishes the events of each note in commit order despite concurrent commits', async () => {
    const [pod] = await openRelayPods(1);
    startPodRelay(pod);
    const notes = ['a', 'b', 'c', 'd'];
    await Promise.all(notes.flatMap((note) => Array.from({ length: 40 }, () => write(pod.db, note))));
    await waitUntilEmpty(pod.db);
    const events = await readPublished(pod.messaging);
    for (const note of notes) {
      const numbers = events.filter((event) => event.note === note).map(({ n }) => n);
      expect(numbers).toEqual(Array.from({ length: 40 }, (_, index) => index + 1));
    }
  });

  it("publishes other notes' events along with thousands of one note, each in order", async () => {
    const [pod] = await openRelayPods(1);
    const busyEvents = Array.from({ length: 2_000 }, (_, index) => ({
      event: exampleEvent,
      data: { note: 'busy', n: index + 1 },
      aggregate: 'busy',
      actorId: null,
    }));
    await pod.db.transaction((tx) => appendEvents(tx, busyEvents));
    for (let n = 0; n < 3; n += 1) for (const note of ['a', 'b']) await write(pod.db, note);
    startPodRelay(pod);
    const countOthers = async () => (await pod.db.query(`select from outbox where aggregate <> 'busy'`)).rowCount;
    await waitFor(async () => (await countOthers()) === 0, { description: 'the others to be published' });
    expect(await countWaiting(pod.db)).toBeGreaterThan(1_000);
    await waitUntilEmpty(pod.db, 40_000);
    const events = await readPublished(pod.messaging);
    const numbersOf = (name: string) => events.filter(({ note }) => note === name).map(({ n }) => n);
    for (const note of ['a', 'b']) expect(numbersOf(note)).toEqual([1, 2, 3]);
    expect(numbersOf('busy')).toEqual(busyEvents.map(({ data }) => data.n));
  });

  it("publishes no event of a user before the user's earlier bucket value", async () => {
    const [pod] = await openRelayPods(1);
    await pod.db.transaction(async (tx) => {
      for (let n = 1; n <= 300; n += 1) {
        await appendDirectoryEntry(tx, 'user.busy', { version: n });
        await appendEvent(tx, { event: exampleEvent, data: { note: 'busy', n }, aggregate: 'busy', actorId: null });
      }
    });
    await write(pod.db, 'b');
    await removeDirectory(pod);
    startPodRelay(pod);
    await waitFor(async () => (await readPublished(pod.messaging)).length > 0, { description: 'b to be published' });
    expect(await readPublished(pod.messaging)).toEqual([{ note: 'b', n: 1 }]);
    await recreateStreams(pod);
    await waitUntilEmpty(pod.db);
    const numbers = (await readPublished(pod.messaging)).filter(({ note }) => note === 'busy').map(({ n }) => n);
    expect(numbers).toEqual(Array.from({ length: 300 }, (_, index) => index + 1));
  });

  it('publishes nothing of a rolled-back transaction', async () => {
    const [pod] = await openRelayPods(1);
    startPodRelay(pod);
    const rolledBack = pod.db.transaction(async (tx) => {
      await appendEvent(tx, { event: exampleEvent, data: { note: 'x', n: 1 }, aggregate: 'x', actorId: null });
      throw new Error('changed my mind');
    });
    await expect(rolledBack).rejects.toThrow('changed my mind');
    await write(pod.db, 'y');
    await waitUntilEmpty(pod.db);
    expect(await readPublished(pod.messaging)).toEqual([{ note: 'y', n: 1 }]);
  });

  it('rejects an event with invalid data, along with the write', async () => {
    const [pod] = await openRelayPods(1);
    const invalidWrite = pod.db.transaction(async (tx) => {
      await tx.query(`insert into notes (id) values ('z')`);
      await appendEvent(tx, { event: exampleEvent, data: { note: 'z', n: 1.5 }, aggregate: 'z', actorId: null });
    });
    await expect(invalidWrite).rejects.toThrow();
    expect((await pod.db.query('select 1 from notes')).rowCount).toBe(0);
  });

  it('rejects an event that exceeds the limit of NATS before the commit', async () => {
    const [pod] = await openRelayPods(1);
    const tooLarge = pod.db.transaction(async (tx) => {
      await tx.query(`insert into notes (id) values ('z')`);
      const data = { note: 'z'.repeat(1_048_000), n: 1 };
      await appendEvent(tx, { event: exampleEvent, data, aggregate: 'z', actorId: null });
    });
    await expect(tooLarge).rejects.toThrow(/^Event notes\.\S+ has \d+ bytes, but NATS accepts at most 1047552$/);
    expect((await pod.db.query('select 1 from notes')).rowCount).toBe(0);
  });

  it('does not wait for a connection behind requests', async () => {
    const [pod] = await openRelayPods(1);
    await write(pod.db, 'a');
    const relayDb = createDb(pod.database, 2, quiet);
    const clients = await Promise.all(Array.from({ length: 10 }, () => pod.db.pool.connect()));
    const relay = startRelay('notes', { db: pod.db, relayDb }, { messaging: pod.messaging, log: quiet });
    await waitUntilEmpty(relayDb);
    await relay.close();
    for (const client of clients) client.release();
    await relayDb.pool.end();
  });

  it('writes directory values to the bucket', async () => {
    const [pod] = await openRelayPods(1);
    const bucket = await new Kvm(pod.messaging.js).open(pod.messaging.directoryBucket);
    startPodRelay(pod);
    for (const version of [1, 2, 3]) {
      await pod.db.transaction((tx) => appendDirectoryEntry(tx, 'user.a', { version }));
    }
    await waitUntilEmpty(pod.db);
    expect((await bucket.get('user.a'))?.json()).toEqual({ version: 3 });
  });

  it('publishes later events only after the bucket has the directory value', async () => {
    const [pod] = await openRelayPods(1);
    await removeDirectory(pod);
    startPodRelay(pod);
    await pod.db.transaction(async (tx) => {
      await appendDirectoryEntry(tx, 'user.a', { version: 1 });
      await appendEvent(tx, { event: exampleEvent, data: { note: 'a', n: 1 }, aggregate: 'a', actorId: null });
    });
    await write(pod.db, 'b');
    await waitFor(async () => (await readPublished(pod.messaging)).some(({ note }) => note === 'b'), {
      description: 'b to be published',
    });
    expect(await readPublished(pod.messaging)).toEqual([{ note: 'b', n: 1 }]);
    await recreateStreams(pod);
    await waitUntilEmpty(pod.db);
    expect(await readPublished(pod.messaging)).toEqual([
      { note: 'b', n: 1 },
      { note: 'a', n: 1 },
    ]);
  });

  it('rejects a row that is too large for NATS with the reason, without blocking later ones', async () => {
    const [pod] = await openRelayPods(1);
    startPodRelay(pod);
    await pod.db.query(
      `insert into outbox (subject, message_id, aggregate, payload) values ($1, 'too-large', 'a', $2)`,
      [subjectOf(exampleEvent), 'x'.repeat(2_000_000)],
    );
    await write(pod.db, 'a');
    const readRejections = () => pod.db.query<{ rejection: string | null }>('select rejection from outbox');
    await waitFor(
      async () => (await readRejections()).rows.length === 1 && (await readRejections()).rows[0]?.rejection !== null,
      {
        description: 'only the large one to be rejected',
      },
    );
    expect((await readRejections()).rows[0]?.rejection).toMatch(/^2000000 bytes exceed the NATS maximum of \d+$/);
    expect(await readPublished(pod.messaging)).toEqual([{ note: 'a', n: 1 }]);
  });

  it('keeps committed events during an outage of NATS, and publishes each once and in order afterward', async () => {
    const nats = await startPrivateNats();
    resources.push(nats);
    const [pod] = await openRelayPods(1, nats.url);
    startPodRelay(pod);
    await write(pod.db, 'a');
    await waitUntilEmpty(pod.db);
    await nats.stop();
    for (let n = 0; n < 20; n += 1) await write(pod.db, 'a');
    expect(await countWaiting(pod.db)).toBe(20);
    await nats.start();
    await waitUntilEmpty(pod.db, 25_000);
    expect((await readPublished(pod.messaging)).map(({ n }) => n)).toEqual(
      Array.from({ length: 21 }, (_, index) => index + 1),
    );
  });
});

describe('two relays of one service', () => {
  it("elect one leader, which is notified of the other's commits immediately", async () => {
    const [first, second] = await openRelayPods(2);
    if (!second) throw new Error('no second pod');
    startPodRelay(first);
    await waitFor(() => findLeader(first.db), { description: 'a leader' });
    startPodRelay(second);
    const start = performance.now();
    for (let n = 0; n < 8; n += 1) {
      await write(second.db, 'a');
      await waitUntilEmpty(second.db);
    }
    // Polling once a second, without notifications, would take eight seconds.
    expect(performance.now() - start).toBeLessThan(5_000);
    expect([first.messaging, second.messaging].map(({ isRelayLeader }) => isRelayLeader())).toEqual([true, false]);
    expect((await readPublished(first.messaging)).map(({ n }) => n)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
  });

  it('pass leadership on when the leader stops, without losing events', async () => {
    const [first, second] = await openRelayPods(2);
    if (!second) throw new Error('no second pod');
    const firstRelay = startPodRelay(first);
    await waitFor(() => findLeader(first.db), { description: 'a leader' });
    startPodRelay(second);
    const writing = Promise.all(Array.from({ length: 30 }, () => write(second.db, 'a')));
    await firstRelay.close();
    await writing;
    await waitUntilEmpty(second.db);
    expect((await readPublished(second.messaging)).map(({ n }) => n)).toEqual(
      Array.from({ length: 30 }, (_, index) => index + 1),
    );
    expect(second.messaging.isRelayLeader()).toBe(true);
  });
});

describe('the lease of a relay', () => {
  it('takes over from a crashed leader once its lease has expired', async () => {
    const [pod] = await openRelayPods(1);
    await pod.db.query(`insert into leases values ('relay', 'crashed-pod', clock_timestamp() + interval '2 seconds')`);
    startPodRelay(pod);
    await write(pod.db, 'a');
    expect(await findLeader(pod.db)).toBe('crashed-pod');
    expect(await countWaiting(pod.db)).toBe(1);
    await waitUntilEmpty(pod.db);
    expect(pod.messaging.isRelayLeader()).toBe(true);
  });

  it('stops publishing when another pod has acquired its lease', async () => {
    const [pod] = await openRelayPods(1);
    startPodRelay(pod);
    await waitFor(() => findLeader(pod.db), { description: 'a leader' });
    await pod.db.query(
      `update leases set holder = 'successor-pod', expires_at = clock_timestamp() + interval '1 hour'`,
    );
    await waitFor(() => !pod.messaging.isRelayLeader(), { description: 'the relay to notice' });
    await write(pod.db, 'a');
    // Longer than its polling interval.
    await delay(1_500);
    expect(await countWaiting(pod.db)).toBe(1);
    await pod.db.query('delete from leases');
    await waitUntilEmpty(pod.db);
    expect(await readPublished(pod.messaging)).toHaveLength(1);
  });

  it('holds a lease without holding a connection', async () => {
    const [pod] = await openRelayPods(1);
    startPodRelay(pod);
    await waitFor(() => findLeader(pod.db), { description: 'a leader' });
    await waitFor(() => pod.db.pool.idleCount === pod.db.pool.totalCount, {
      description: 'every connection to be free',
    });
  });

  it('stops quickly even when idle', async () => {
    const [pod] = await openRelayPods(1);
    const relay = startRelay('notes', pod, { messaging: pod.messaging, log: quiet });
    await waitFor(() => findLeader(pod.db), { description: 'a leader' });
    const late = delay(500, 'late', { ref: false });
    expect(await Promise.race([relay.close().then(() => 'ended'), late])).toBe('ended');
    expect(await findLeader(pod.db)).toBeUndefined();
  });
});
