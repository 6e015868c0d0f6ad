import type { Topic } from '@atrium/proto-events/realtime';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { isRecipient } from './audience.ts';
import type { LiveUpdate } from './change-mappers/live-update.ts';
import { createLiveLog, type KeptTold, MOST_ANSWERED, REPLAY_WINDOW_MS, type ReplayBuffer } from './replay-buffer.ts';

const MADE_AT = '2026-11-20T08:00:00.123456789Z';
const ANN = 'a'.repeat(24);
const PROJECT = 'b'.repeat(24);

let time: number;
let log: ReplayBuffer;
beforeEach(() => {
  time = 0;
  log = createLiveLog(['users', 'projects'], () => time);
  for (const producer of ['users', 'projects']) {
    log.begin(producer, { streamCreatedAt: MADE_AT, seq: 10 });
    log.reach(producer, { streamCreatedAt: MADE_AT, seq: 10 });
  }
});

/** Ann shows these. */
const shown =
  (...topics: string[]) =>
  (told: KeptTold) =>
    isRecipient(told, {
      userId: ANN,
      isAdmin: false,
      isIn: () => false,
      shows: (topic) => topics.includes(topic),
      takesPartIn: () => false,
    });
const add = (seq: number, told: Partial<LiveUpdate> & { version?: number } = {}, producer = 'projects') => {
  const { version = seq, topics = ['projects'] as Topic[], audience = 'everyone' } = told;
  const changes = told.changes ?? [{ resource: 'project', id: PROJECT, action: 'updated', version, changed: ['name'] }];
  log.add(producer, { streamCreatedAt: MADE_AT, seq }, [{ topics, audience, changes }]);
};
const versions = (since: string, ...topics: string[]) =>
  log.since(since, shown(...topics))?.map(({ resource, version }) => `${resource} ${version}`);

describe('what was told', () => {
  it('is given again from a position on, of each thing the latest and of all fields, to whoever shows it', () => {
    const start = log.position();
    add(11);
    time = 1_000;
    add(12, { changes: [{ resource: 'project', id: PROJECT, action: 'updated', version: 12, changed: ['status'] }] });
    const before = log.position();
    add(11, { changes: [{ resource: 'user', id: ANN, action: 'updated', version: 3 }], topics: ['people'] }, 'users');
    time = 4_000;
    expect(log.since(start, shown('projects'))).toEqual([
      { resource: 'project', id: PROJECT, action: 'updated', version: 12, changed: ['name', 'status'], ageMs: 3_000 },
    ]);
    expect(versions(start, 'projects', 'people')).toEqual(['project 12', 'user 3']);
    expect(versions(before, 'projects', 'people')).toEqual(['user 3']);
    expect(versions(log.position(), 'projects', 'people')).toEqual([]);
    expect(versions(start, 'documents')).toEqual([]);
  });

  it('is not given to whom it was not told', () => {
    const start = log.position();
    add(11, { topics: ['documents'], audience: { users: ['c'.repeat(24)], admins: true } });
    add(12, { topics: ['documents'], audience: { users: [ANN], admins: true } });
    expect(versions(start, 'documents')).toEqual(['project 12']);
  });

  it('is found whatever lies between: much of one producer, and little of another long before', () => {
    add(11, { changes: [{ resource: 'user', id: ANN, action: 'updated', version: 2 }] }, 'users');
    const early = log.position();
    add(12, { changes: [{ resource: 'user', id: ANN, action: 'updated', version: 3 }] }, 'users');
    for (let seq = 11; seq < 200; seq += 1) add(seq);
    const late = log.position();
    log.reach('users', { streamCreatedAt: MADE_AT, seq: 90 });
    add(200);
    expect(versions(early, 'projects')).toEqual(['user 3', 'project 200']);
    expect(versions(late, 'projects')).toEqual(['project 200']);
  });

  it('is known for an hour, and beyond that nobody is told that nothing happened', () => {
    const start = log.position();
    add(11);
    time = REPLAY_WINDOW_MS + 1;
    add(12);
    expect(versions(start, 'projects')).toBeUndefined();
    add(13);
    expect(versions(log.position(), 'projects')).toEqual([]);
  });

  it('is asked for by a position of another pod that is ahead of this one', () => {
    const other = createLiveLog(['users', 'projects']);
    other.begin('users', { streamCreatedAt: MADE_AT, seq: 10 });
    other.begin('projects', { streamCreatedAt: MADE_AT, seq: 99 });
    add(11);
    expect(versions(other.position(), 'projects')).toEqual([]);
  });

  it.each(['', 'nonsense', '1.2,3.4', 'zzz'])('is not guessed from the position %j', (position) => {
    expect(log.since(position, shown('projects'))).toBeNull();
  });

  it('is given of the last while to whoever has no position yet', () => {
    add(11);
    time = 5_000;
    add(11, { changes: [{ resource: 'user', id: ANN, action: 'updated', version: 3 }], topics: ['people'] }, 'users');
    time = 6_000;
    const versionsOfLast = (ms: number) => log.ofLast(ms, shown('projects', 'people'))?.map(({ version }) => version);
    expect([versionsOfLast(999), versionsOfLast(1_000), versionsOfLast(6_000)]).toEqual([[], [3], [11, 3]]);
    expect(log.ofLast(1_000, shown('projects'))).toEqual([]);
    expect(log.ofLast(REPLAY_WINDOW_MS + 1, shown('projects'))).toBeNull();
  });

  it('is not given of a while of which something was forgotten, nor before all of it is known', () => {
    time = 1_000;
    add(11);
    time = 2_000;
    log.begin('projects', { streamCreatedAt: '2026-11-21T08:00:00Z', seq: 0 });
    expect([log.ofLast(1_000, shown('projects')), log.ofLast(999, shown('projects'))]).toEqual([null, []]);
    expect(createLiveLog(['users'], () => time).ofLast(1, shown('projects'))).toBeNull();
  });

  it('is not looked through for whoever has missed too much of it: they ask for everything', () => {
    const start = log.position();
    add(11, { changes: [{ resource: 'user', id: ANN, action: 'updated', version: 3 }], topics: ['people'] }, 'users');
    const later = log.position();
    for (let seq = 11; seq < MOST_ANSWERED + 10; seq += 1) add(seq);
    let asked = 0;
    const isFor = () => {
      asked += 1;
      return true;
    };
    expect(log.since(later, isFor)).toHaveLength(1);
    expect(asked).toBe(MOST_ANSWERED - 1);
    add(MOST_ANSWERED + 10);
    expect([log.since(start, isFor), log.ofLast(1, isFor)]).toEqual([null, null]);
    expect(log.since(later, isFor)).toHaveLength(1);
    add(MOST_ANSWERED + 11);
    expect(log.since(later, isFor)).toBeNull();
    expect(asked).toBe(2 * MOST_ANSWERED - 1);
  });

  it('is looked through from a position on, and no further, also where a producer has been silent for long', () => {
    add(11, { changes: [{ resource: 'user', id: ANN, action: 'updated', version: 2 }] }, 'users');
    for (let seq = 11; seq < 5_000; seq += 1) add(seq);
    const start = log.position();
    add(12, { changes: [{ resource: 'user', id: ANN, action: 'updated', version: 3 }] }, 'users');
    let asked = 0;
    const isFor = () => {
      asked += 1;
      return true;
    };
    expect(log.since(start, isFor)).toMatchObject([{ resource: 'user', version: 3 }]);
    expect(asked).toBe(1);
  });

  it('is given from a position of a release before on, with all that is known of a producer that is new since', () => {
    const ofBefore = log.position().split(',', 1).join();
    add(11);
    expect(versions(ofBefore, 'projects')).toEqual(['project 11']);
    expect(versions('', 'projects')).toBeUndefined();
  });

  it('by another NATS is none of the positions of before', () => {
    const start = log.position();
    log.begin('projects', { streamCreatedAt: '2026-11-21T08:00:00Z', seq: 0 });
    add(11);
    expect(log.since(start, shown('projects'))).toBeNull();
  });

  it('is kept in a bounded memory, by people whom it is for: those of one meeting once', () => {
    const crowd = Array.from({ length: 5_000 }, (_, n) => String(n).padStart(24, '0'));
    const answer = (seq: number, users: string[]) => add(seq, { topics: ['meetings'], audience: { users } });
    const start = log.position();
    // Each by itself would be 125 KB: a thousand are twice what may be kept.
    for (let seq = 11; seq < 1_011; seq += 1) answer(seq, [ANN, ...crowd]);
    expect(versions(start, 'meetings')).toEqual(['project 1010']);
    for (let seq = 1_011; seq < 1_611; seq += 1) answer(seq, [ANN, ...crowd, String(seq).padStart(24, '1')]);
    expect(versions(start, 'meetings')).toBeUndefined();
    expect(versions(log.position(), 'meetings')).toEqual([]);
  });
});

it('is complete once every producer has been caught up with', () => {
  const fresh = createLiveLog(['users', 'projects']);
  fresh.begin('users', { streamCreatedAt: MADE_AT, seq: 0 });
  fresh.reach('users', { streamCreatedAt: MADE_AT, seq: 4 });
  expect(fresh.isComplete()).toBe(false);
  fresh.begin('projects', { streamCreatedAt: MADE_AT, seq: 0 });
  fresh.reach('projects', { streamCreatedAt: MADE_AT, seq: 0 });
  expect(fresh.isComplete()).toBe(true);
});

it('is waited for until all of it is known, and no longer than one may wait', async () => {
  const fresh = createLiveLog(['users', 'projects']);
  let isOver = false;
  const waiting = fresh.whenComplete(60_000).then(() => {
    isOver = true;
  });
  for (const producer of ['users', 'projects']) {
    fresh.begin(producer, { streamCreatedAt: MADE_AT, seq: 10 });
    await Promise.resolve();
    expect(isOver).toBe(false);
    fresh.reach(producer, { streamCreatedAt: MADE_AT, seq: 10 });
  }
  await waiting;
  await createLiveLog(['users']).whenComplete(1);
});
