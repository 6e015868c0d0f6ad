import { setTimeout as delay } from 'node:timers/promises';
import { envelope, subjectOf } from '@atrium/proto-events/event';
import { ensureStream, type Messaging } from '@atrium/service-kit/messaging';
import { appendDirectoryEntry, appendEvent } from '@atrium/service-kit/outbox';
import { startRelay } from '@atrium/service-kit/outbox-relay';
import type { Db } from '@atrium/service-kit/postgres';
import { waitFor } from '@atrium/test-kit/wait-for';
import { afterEach, describe, expect, it } from '@jest/globals';
import { Kvm } from '@nats-io/kv';
import { noteWritten } from './notes.ts';
import { openPods, type Pod, quiet } from './pods.ts';
import { startPrivateNats } from './private-nats.ts';

const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const thing of open.splice(0).reverse()) await thing.close();
});

async function pods(count: number, natsUrl?: string): Promise<[Pod, ...Pod[]]> {
  const made = await openPods(count, natsUrl);
  open.push(...made);
  const [first, ...rest] = made;
  if (!first) throw new Error('no pod');
  return [first, ...rest];
}

function relay(pod: Pod) {
  const running = startRelay('notes', pod.db, pod.messaging, quiet);
  open.push(running);
  return running;
}

/** Counts a note up and tells of it, as a use case does: the row lock puts the writers of one note in order. */
const write = (db: Db, note: string) =>
  db.transaction(async (tx) => {
    const { rows } = await tx.query<{ n: number }>(
      'insert into notes (id, n) values ($1, 1) on conflict (id) do update set n = notes.n + 1 returning n',
      [note],
    );
    const n = rows[0]?.n ?? 0;
    await appendEvent(tx, { event: noteWritten, data: { note, n }, aggregate: note, actorId: null });
    return n;
  });

/** What the stream holds, in its order. */
async function published(messaging: Messaging): Promise<{ note: string; n: number }[]> {
  const stream = await ensureStream(messaging, 'notes');
  const { state } = await messaging.manager.streams.info(stream);
  const found: { note: string; n: number }[] = [];
  for (let seq = state.first_seq; seq <= state.last_seq; seq += 1) {
    const message = await messaging.manager.streams.getMessage(stream, { seq });
    if (message?.subject !== messaging.subject(subjectOf(noteWritten))) continue;
    found.push(noteWritten.data.parse(envelope.parse(message.json()).data));
  }
  return found;
}

const waiting = async (db: Db) =>
  Number((await db.query<{ n: number }>('select count(*) as n from outbox')).rows[0]?.n);
const emptied = (db: Db, timeoutMs = 15_000) =>
  waitFor(async () => (await waiting(db)) === 0, { what: 'the outbox to be empty', timeoutMs });
const leaders = async (db: Db) =>
  Number(
    (
      await db.query<{ n: number }>(
        `select count(*) as n from pg_locks where locktype = 'advisory' and granted
         and database = (select oid from pg_database where datname = current_database())`,
      )
    ).rows[0]?.n,
  );

describe('the relay', () => {
  it('publishes each note in the order of its commits, although many commit at once', async () => {
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

  it('publishes nothing of a transaction that was rolled back', async () => {
    const [pod] = await pods(1);
    relay(pod);
    const undone = pod.db.transaction(async (tx) => {
      await appendEvent(tx, { event: noteWritten, data: { note: 'x', n: 1 }, aggregate: 'x', actorId: null });
      throw new Error('changed my mind');
    });
    await expect(undone).rejects.toThrow('changed my mind');
    await write(pod.db, 'y');
    await emptied(pod.db);
    expect(await published(pod.messaging)).toEqual([{ note: 'y', n: 1 }]);
  });

  it('refuses to keep an event whose data does not fit, and the write with it', async () => {
    const [pod] = await pods(1);
    const wrong = pod.db.transaction(async (tx) => {
      await tx.query(`insert into notes (id) values ('z')`);
      await appendEvent(tx, { event: noteWritten, data: { note: 'z', n: 1.5 }, aggregate: 'z', actorId: null });
    });
    await expect(wrong).rejects.toThrow();
    expect((await pod.db.query('select 1 from notes')).rowCount).toBe(0);
  });

  it('puts values of the directory into its bucket', async () => {
    const [pod] = await pods(1);
    const bucket = await new Kvm(pod.messaging.js).create(pod.messaging.directoryBucket, { history: 1 });
    relay(pod);
    for (const version of [1, 2, 3]) {
      await pod.db.transaction((tx) => appendDirectoryEntry(tx, 'user.a', { version }));
    }
    await emptied(pod.db);
    expect((await bucket.get('user.a'))?.json()).toEqual({ version: 3 });
  });

  it('keeps what is committed while NATS is away, and publishes all of it once, in order, when it is back', async () => {
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
  it('have one leader, which hears at once of what the other commits', async () => {
    const [one, two] = await pods(2);
    if (!two) throw new Error('no second pod');
    relay(one);
    await waitFor(async () => (await leaders(one.db)) === 1, { what: 'a leader' });
    relay(two);
    const start = performance.now();
    for (let n = 0; n < 8; n += 1) {
      await write(two.db, 'a');
      await emptied(two.db);
    }
    // Looking once a second, as it does without being told, would take eight seconds.
    expect(performance.now() - start).toBeLessThan(3_000);
    expect(await leaders(one.db)).toBe(1);
    expect((await published(one.messaging)).map(({ n }) => n)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
  });

  it('pass the lead on when the leader stops, and lose nothing', async () => {
    const [one, two] = await pods(2);
    if (!two) throw new Error('no second pod');
    const first = relay(one);
    await waitFor(async () => (await leaders(one.db)) === 1, { what: 'a leader' });
    relay(two);
    const writing = Promise.all(Array.from({ length: 30 }, () => write(two.db, 'a')));
    await first.close();
    await writing;
    await emptied(two.db);
    expect((await published(two.messaging)).map(({ n }) => n)).toEqual(
      Array.from({ length: 30 }, (_, index) => index + 1),
    );
    expect(await leaders(two.db)).toBe(1);
  });

  it('pass the lead on when the leader loses its connection', async () => {
    const [one, two] = await pods(2);
    if (!two) throw new Error('no second pod');
    relay(one);
    await waitFor(async () => (await leaders(one.db)) === 1, { what: 'a leader' });
    relay(two);
    const { rows } = await two.db.query<{ pid: number }>(
      `select pid from pg_locks where locktype = 'advisory' and granted
       and database = (select oid from pg_database where datname = current_database())`,
    );
    await two.db.query('select pg_terminate_backend($1)', [rows[0]?.pid]);
    await write(one.db, 'a');
    await write(two.db, 'a');
    await emptied(two.db);
    await waitFor(async () => (await leaders(two.db)) === 1, { what: 'a new leader' });
    expect((await published(two.messaging)).map(({ n }) => n)).toEqual([1, 2]);
  });

  it('end within a moment, also without anything to do', async () => {
    const [one] = await pods(1);
    const running = startRelay('notes', one.db, one.messaging, quiet);
    await waitFor(async () => (await leaders(one.db)) === 1, { what: 'a leader' });
    const late = delay(500, 'late', { ref: false });
    expect(await Promise.race([running.close().then(() => 'ended'), late])).toBe('ended');
    await waitFor(async () => (await leaders(one.db)) === 0, { what: 'the lead to be free', timeoutMs: 1_000 });
  });
});
