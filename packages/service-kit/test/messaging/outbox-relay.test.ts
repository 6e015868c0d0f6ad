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

const open = closeAfterEach();

async function pods(count: number, natsUrl?: string): Promise<[Pod, ...Pod[]]> {
  const made = await openPods(count, natsUrl);
  open.push(...made);
  const [first, ...rest] = made;
  if (!first) throw new Error('no pod');
  return [first, ...rest];
}

function relay(pod: Pod) {
  const running = startRelay('notes', pod, pod.messaging, quiet);
  open.push(running);
  return running;
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

/** The content of the stream, in order. */
async function published(messaging: Messaging): Promise<{ note: string; n: number }[]> {
  const stream = await requireStream(messaging, 'notes');
  const { state } = await messaging.manager.streams.info(stream);
  const found: { note: string; n: number }[] = [];
  for (let seq = state.first_seq; seq <= state.last_seq; seq += 1) {
    const message = await messaging.manager.streams.getMessage(stream, { seq });
    if (message?.subject !== messaging.subject(subjectOf(exampleEvent))) continue;
    found.push(exampleEvent.data.parse(envelope.parse(message.json()).data));
  }
  return found;
}

const waiting = async (db: Db) =>
  Number((await db.query<{ n: number }>('select count(*) as n from outbox')).rows[0]?.n);
const emptied = (db: Db, timeoutMs = 15_000) =>
  waitFor(async () => (await waiting(db)) === 0, { what: 'the outbox to be empty', timeoutMs });
const leader = async (db: Db) =>
  (await db.query<{ holder: string }>(`select holder from leases where name = 'relay'`)).rows[0]?.holder;

const removeDirectory = ({ messaging }: Pod) => messaging.manager.streams.delete(`KV_${messaging.directoryBucket}`);

describe('startRelay', () => {
  it('publishes the events of each note in commit order despite concurrent commits', async () => {
    const [pod] = await pods(1);
    relay(pod);
    const notes = ['a', 'b', 'c', 'd'];
    await Promise.all(notes.flatMap((note) => Array.from({ length: 40 }, () => write(pod.db, note))));
    await emptied(pod.db);
    const events = await published(pod.messaging);
    for (const note of notes) {
      const numbers = events.filter((event) => event.note === note).map(({ n }) => n);
      expect(numbers).toEqual(Array.from({ length: 40 }, (_, index) => index + 1));
    }
  });

  it("publishes other notes' events along with thousands of one note, each in order", async () => {
    const [pod] = await pods(1);
    const many = Array.from({ length: 2_000 }, (_, index) => ({
      event: exampleEvent,
      data: { note: 'busy', n: index + 1 },
      aggregate: 'busy',
      actorId: null,
    }));
    await pod.db.transaction((tx) => appendEvents(tx, many));
    for (let n = 0; n < 3; n += 1) for (const note of ['a', 'b']) await write(pod.db, note);
    relay(pod);
    const others = async () => (await pod.db.query(`select from outbox where aggregate <> 'busy'`)).rowCount;
    await waitFor(async () => (await others()) === 0, { what: 'the others to be published' });
    expect(await waiting(pod.db)).toBeGreaterThan(1_000);
    await emptied(pod.db, 40_000);
    const events = await published(pod.messaging);
    const numbers = (of: string) => events.filter(({ note }) => note === of).map(({ n }) => n);
    for (const note of ['a', 'b']) expect(numbers(note)).toEqual([1, 2, 3]);
    expect(numbers('busy')).toEqual(many.map(({ data }) => data.n));
  });

  it('publishes none of hundreds of changes of one user before the earlier bucket value', async () => {
    const [pod] = await pods(1);
    await pod.db.transaction(async (tx) => {
      for (let n = 1; n <= 300; n += 1) {
        await appendDirectoryEntry(tx, 'user.busy', { version: n });
        await appendEvent(tx, { event: exampleEvent, data: { note: 'busy', n }, aggregate: 'busy', actorId: null });
      }
    });
    await write(pod.db, 'b');
    await removeDirectory(pod);
    relay(pod);
    await waitFor(async () => (await published(pod.messaging)).length > 0, { what: 'b to be published' });
    expect(await published(pod.messaging)).toEqual([{ note: 'b', n: 1 }]);
    await recreateStreams(pod);
    await emptied(pod.db);
    const numbers = (await published(pod.messaging)).filter(({ note }) => note === 'busy').map(({ n }) => n);
    expect(numbers).toEqual(Array.from({ length: 300 }, (_, index) => index + 1));
  });

  it('publishes nothing of a rolled-back transaction', async () => {
    const [pod] = await pods(1);
    relay(pod);
    const undone = pod.db.transaction(async (tx) => {
      await appendEvent(tx, { event: exampleEvent, data: { note: 'x', n: 1 }, aggregate: 'x', actorId: null });
      throw new Error('changed my mind');
    });
    await expect(undone).rejects.toThrow('changed my mind');
    await write(pod.db, 'y');
    await emptied(pod.db);
    expect(await published(pod.messaging)).toEqual([{ note: 'y', n: 1 }]);
  });

  it('rejects an event with invalid data, along with the write', async () => {
    const [pod] = await pods(1);
    const wrong = pod.db.transaction(async (tx) => {
      await tx.query(`insert into notes (id) values ('z')`);
      await appendEvent(tx, { event: exampleEvent, data: { note: 'z', n: 1.5 }, aggregate: 'z', actorId: null });
    });
    await expect(wrong).rejects.toThrow();
    expect((await pod.db.query('select 1 from notes')).rowCount).toBe(0);
  });

  it('rejects an event that exceeds the limit of NATS before the commit', async () => {
    const [pod] = await pods(1);
    const tooLarge = pod.db.transaction(async (tx) => {
      await tx.query(`insert into notes (id) values ('z')`);
      const data = { note: 'z'.repeat(1_048_000), n: 1 };
      await appendEvent(tx, { event: exampleEvent, data, aggregate: 'z', actorId: null });
    });
    await expect(tooLarge).rejects.toThrow(/^Event notes\.\S+ has \d+ bytes, but NATS accepts at most 1047552$/);
    expect((await pod.db.query('select 1 from notes')).rowCount).toBe(0);
  });

  it('does not wait for a connection behind requests', async () => {
    const [pod] = await pods(1);
    await write(pod.db, 'a');
    const own = createDb(pod.database, 2, quiet);
    const held = await Promise.all(Array.from({ length: 10 }, () => pod.db.pool.connect()));
    const running = startRelay('notes', { db: pod.db, own }, pod.messaging, quiet);
    await emptied(own);
    await running.close();
    for (const client of held) client.release();
    await own.pool.end();
  });

  it('writes directory values to the bucket', async () => {
    const [pod] = await pods(1);
    const bucket = await new Kvm(pod.messaging.js).open(pod.messaging.directoryBucket);
    relay(pod);
    for (const version of [1, 2, 3]) {
      await pod.db.transaction((tx) => appendDirectoryEntry(tx, 'user.a', { version }));
    }
    await emptied(pod.db);
    expect((await bucket.get('user.a'))?.json()).toEqual({ version: 3 });
  });

  it('publishes later events only after the bucket has the directory value', async () => {
    const [pod] = await pods(1);
    await removeDirectory(pod);
    relay(pod);
    await pod.db.transaction(async (tx) => {
      await appendDirectoryEntry(tx, 'user.a', { version: 1 });
      await appendEvent(tx, { event: exampleEvent, data: { note: 'a', n: 1 }, aggregate: 'a', actorId: null });
    });
    await write(pod.db, 'b');
    await waitFor(async () => (await published(pod.messaging)).some(({ note }) => note === 'b'), {
      what: 'b to be published',
    });
    expect(await published(pod.messaging)).toEqual([{ note: 'b', n: 1 }]);
    await recreateStreams(pod);
    await emptied(pod.db);
    expect(await published(pod.messaging)).toEqual([
      { note: 'b', n: 1 },
      { note: 'a', n: 1 },
    ]);
  });

  it('rejects a row that is too large for NATS with the reason, without blocking later ones', async () => {
    const [pod] = await pods(1);
    relay(pod);
    await pod.db.query(
      `insert into outbox (subject, message_id, aggregate, payload) values ($1, 'too-large', 'a', $2)`,
      [subjectOf(exampleEvent), 'x'.repeat(2_000_000)],
    );
    await write(pod.db, 'a');
    const left = () => pod.db.query<{ rejection: string | null }>('select rejection from outbox');
    await waitFor(async () => (await left()).rows.length === 1 && (await left()).rows[0]?.rejection !== null, {
      what: 'only the large one to be rejected',
    });
    expect((await left()).rows[0]?.rejection).toMatch(/^2000000 bytes, of which NATS takes \d+$/);
    expect(await published(pod.messaging)).toEqual([{ note: 'a', n: 1 }]);
  });

  it('keeps committed events during an outage of NATS, and publishes each once and in order afterward', async () => {
    const nats = await startPrivateNats();
    open.push(nats);
    const [pod] = await pods(1, nats.url);
    relay(pod);
    await write(pod.db, 'a');
    await emptied(pod.db);
    await nats.stop();
    for (let n = 0; n < 20; n += 1) await write(pod.db, 'a');
    expect(await waiting(pod.db)).toBe(20);
    await nats.start();
    await emptied(pod.db, 25_000);
    expect((await published(pod.messaging)).map(({ n }) => n)).toEqual(
      Array.from({ length: 21 }, (_, index) => index + 1),
    );
  });
});

describe('two relays of one service', () => {
  it("elect one leader, which is notified of the other's commits immediately", async () => {
    const [one, two] = await pods(2);
    if (!two) throw new Error('no second pod');
    relay(one);
    await waitFor(() => leader(one.db), { what: 'a leader' });
    relay(two);
    const start = performance.now();
    for (let n = 0; n < 8; n += 1) {
      await write(two.db, 'a');
      await emptied(two.db);
    }
    // Polling once a second, without notifications, would take eight seconds.
    expect(performance.now() - start).toBeLessThan(5_000);
    expect([one.messaging, two.messaging].map(({ leadsRelay }) => leadsRelay())).toEqual([true, false]);
    expect((await published(one.messaging)).map(({ n }) => n)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
  });

  it('pass leadership on when the leader stops, without losing events', async () => {
    const [one, two] = await pods(2);
    if (!two) throw new Error('no second pod');
    const first = relay(one);
    await waitFor(() => leader(one.db), { what: 'a leader' });
    relay(two);
    const writing = Promise.all(Array.from({ length: 30 }, () => write(two.db, 'a')));
    await first.close();
    await writing;
    await emptied(two.db);
    expect((await published(two.messaging)).map(({ n }) => n)).toEqual(
      Array.from({ length: 30 }, (_, index) => index + 1),
    );
    expect(two.messaging.leadsRelay()).toBe(true);
  });

  it('pass leadership on when the leader crashes', async () => {
    const [one] = await pods(1);
    await one.db.query(`insert into leases values ('relay', 'who died', clock_timestamp() + interval '2 seconds')`);
    relay(one);
    await write(one.db, 'a');
    expect(await leader(one.db)).toBe('who died');
    expect(await waiting(one.db)).toBe(1);
    await emptied(one.db);
    expect(one.messaging.leadsRelay()).toBe(true);
  });

  it('leave leadership to the successor after a pause', async () => {
    const [one, two] = await pods(2);
    if (!two) throw new Error('no second pod');
    relay(one);
    await waitFor(() => leader(one.db), { what: 'a leader' });
    await one.db.query(
      `update leases set holder = 'who came after', expires_at = clock_timestamp() + interval '1 hour'`,
    );
    await waitFor(() => !one.messaging.leadsRelay(), { what: 'the first relay to notice' });
    await write(one.db, 'a');
    // Longer than its polling interval.
    await delay(1_500);
    expect(await waiting(one.db)).toBe(1);
    await one.db.query('delete from leases');
    await emptied(one.db);
    expect(await published(one.messaging)).toHaveLength(1);
  });

  it('hold a lease without holding a connection', async () => {
    const [one] = await pods(1);
    relay(one);
    await waitFor(() => leader(one.db), { what: 'a leader' });
    await waitFor(() => one.db.pool.idleCount === one.db.pool.totalCount, { what: 'every connection to be free' });
  });

  it('stop quickly even when idle', async () => {
    const [one] = await pods(1);
    const running = startRelay('notes', one, one.messaging, quiet);
    await waitFor(() => leader(one.db), { what: 'a leader' });
    const late = delay(500, 'late', { ref: false });
    expect(await Promise.race([running.close().then(() => 'ended'), late])).toBe('ended');
    expect(await leader(one.db)).toBeUndefined();
  });
});
