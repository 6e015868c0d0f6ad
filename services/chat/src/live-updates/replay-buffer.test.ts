import type { LiveUpdate } from '@atrium/proto-events/live-updates/live-update';
import type { Change } from '@atrium/proto-events/realtime';
import { beforeEach, describe, expect, it } from '@jest/globals';
import type { BufferedUpdate } from './buffered-updates.ts';
import { isRecipient } from './recipients.ts';
import {
  createReplayBuffer,
  MAX_REPLAY_LENGTH,
  MAX_SCANNED_CHANGES,
  REPLAY_WINDOW_MS,
  type ReplayBuffer,
} from './replay-buffer.ts';

const STREAM_CREATED_AT = '2026-11-20T08:00:00.123456789Z';
const ANN = 'a'.repeat(24);
const PROJECT = 'b'.repeat(24);

let time: number;
let buffer: ReplayBuffer;
beforeEach(() => {
  time = 0;
  buffer = createReplayBuffer(['users', 'projects'], () => time);
  for (const producer of ['users', 'projects']) {
    buffer.begin(producer, { streamCreatedAt: STREAM_CREATED_AT, seq: 10 });
    buffer.advance(producer, { streamCreatedAt: STREAM_CREATED_AT, seq: 10 });
  }
});

const subscribedTo =
  (...tags: string[]) =>
  (update: BufferedUpdate) =>
    isRecipient(update, {
      userId: ANN,
      isAdmin: false,
      isInDepartment: () => false,
      isSubscribedTo: (tag) => tags.includes(tag),
      isParticipantOf: () => false,
    });
const projectChange = (overrides: Partial<Change> = {}): Change => ({
  resource: 'project',
  id: PROJECT,
  action: 'updated',
  version: 2,
  tags: ['projects'],
  changed: ['name'],
  ...overrides,
});
const add = (seq: number, overrides: Partial<Change> = {}, audience: LiveUpdate['audience'] = 'everyone') => {
  const update = { audience, change: projectChange({ version: seq, ...overrides }) };
  buffer.add('projects', { streamCreatedAt: STREAM_CREATED_AT, seq }, [update]);
};
const addUser = (seq: number, version: number) => {
  const change: Change = { resource: 'user', id: ANN, action: 'updated', version, tags: ['people'] };
  buffer.add('users', { streamCreatedAt: STREAM_CREATED_AT, seq }, [{ audience: 'everyone', change }]);
};
const listVersions = (position: string, ...tags: string[]) =>
  buffer.changesSince(position, subscribedTo(...tags))?.map(({ resource, version }) => `${resource} ${version}`);

describe('a replay buffer', () => {
  it('replays the changes after a position for subscribed tags, merged per resource', () => {
    const startPosition = buffer.position();
    add(11);
    add(12, { changed: ['status'] });
    const secondPosition = buffer.position();
    addUser(11, 3);
    expect(buffer.changesSince(startPosition, subscribedTo('projects'))).toEqual([
      projectChange({ version: 12, changed: ['name', 'status'] }),
    ]);
    expect(listVersions(startPosition, 'projects', 'people')).toEqual(['project 12', 'user 3']);
    expect(listVersions(secondPosition, 'projects', 'people')).toEqual(['user 3']);
    expect(listVersions(buffer.position(), 'projects', 'people')).toEqual([]);
    expect(listVersions(startPosition, 'documents')).toEqual([]);
  });

  it('replays private changes to their audience only, regardless of subscriptions', () => {
    const startPosition = buffer.position();
    add(11, {}, { users: ['c'.repeat(24)], admins: true });
    add(12, {}, { users: [ANN], admins: true });
    expect(listVersions(startPosition, 'projects')).toEqual(['project 12']);
    expect(listVersions(startPosition)).toEqual(['project 12']);
  });

  it('finds the changes after a position when producers differ in volume', () => {
    addUser(11, 2);
    const earlyPosition = buffer.position();
    addUser(12, 3);
    for (let seq = 11; seq < 200; seq += 1) add(seq);
    const latePosition = buffer.position();
    buffer.advance('users', { streamCreatedAt: STREAM_CREATED_AT, seq: 90 });
    add(200);
    expect(listVersions(earlyPosition, 'projects', 'people')).toEqual(['user 3', 'project 200']);
    expect(listVersions(latePosition, 'projects', 'people')).toEqual(['project 200']);
  });

  it('returns null for a position that is older than the replay window', () => {
    const startPosition = buffer.position();
    add(11);
    time = REPLAY_WINDOW_MS + 1;
    add(12);
    expect(listVersions(startPosition, 'projects')).toBeUndefined();
    add(13);
    expect(listVersions(buffer.position(), 'projects')).toEqual([]);
  });

  it('accepts a position from another pod that is ahead', () => {
    const aheadBuffer = createReplayBuffer(['users', 'projects']);
    aheadBuffer.begin('users', { streamCreatedAt: STREAM_CREATED_AT, seq: 10 });
    aheadBuffer.begin('projects', { streamCreatedAt: STREAM_CREATED_AT, seq: 99 });
    add(11);
    expect(listVersions(aheadBuffer.position(), 'projects')).toEqual([]);
  });

  it.each(['', 'nonsense', '1.2,3.4', 'zzz'])('returns null for the invalid position %j', (position) => {
    expect(buffer.changesSince(position, subscribedTo('projects'))).toBeNull();
  });

  it('replays the changes within an age for clients without a position', () => {
    add(11);
    time = 5_000;
    addUser(11, 3);
    time = 6_000;
    const listVersionsWithin = (ms: number) =>
      buffer.changesWithin(ms, subscribedTo('projects', 'people'))?.map(({ version }) => version);
    expect([listVersionsWithin(999), listVersionsWithin(1_000), listVersionsWithin(6_000)]).toEqual([[], [3], [11, 3]]);
    expect(buffer.changesWithin(1_000, subscribedTo('projects'))).toEqual([]);
    expect(buffer.changesWithin(REPLAY_WINDOW_MS + 1, subscribedTo('projects'))).toBeNull();
  });

  it('returns null for an age that includes evicted changes, and while it is incomplete', () => {
    time = 1_000;
    add(11);
    time = 2_000;
    buffer.begin('projects', { streamCreatedAt: '2026-11-21T08:00:00Z', seq: 0 });
    expect([
      buffer.changesWithin(1_000, subscribedTo('projects')),
      buffer.changesWithin(999, subscribedTo('projects')),
    ]).toEqual([null, []]);
    expect(createReplayBuffer(['users'], () => time).changesWithin(1, subscribedTo('projects'))).toBeNull();
  });

  it('returns null without a scan if too many changes were missed', () => {
    const startPosition = buffer.position();
    addUser(11, 3);
    const laterPosition = buffer.position();
    for (let seq = 11; seq < MAX_SCANNED_CHANGES + 10; seq += 1) add(seq);
    let scanned = 0;
    const isRecipientOfAll = () => {
      scanned += 1;
      return true;
    };
    expect(buffer.changesSince(laterPosition, isRecipientOfAll)).toHaveLength(1);
    expect(scanned).toBe(MAX_SCANNED_CHANGES - 1);
    add(MAX_SCANNED_CHANGES + 10);
    expect([buffer.changesSince(startPosition, isRecipientOfAll), buffer.changesWithin(1, isRecipientOfAll)]).toEqual([
      null,
      null,
    ]);
    expect(buffer.changesSince(laterPosition, isRecipientOfAll)).toHaveLength(1);
    add(MAX_SCANNED_CHANGES + 11);
    expect(buffer.changesSince(laterPosition, isRecipientOfAll)).toBeNull();
    expect(scanned).toBe(2 * MAX_SCANNED_CHANGES - 1);
  });

  it('scans only the changes after a position, even if a producer was idle for long', () => {
    addUser(11, 2);
    for (let seq = 11; seq < 5_000; seq += 1) add(seq);
    const startPosition = buffer.position();
    addUser(12, 3);
    let scanned = 0;
    const isRecipientOfAll = () => {
      scanned += 1;
      return true;
    };
    expect(buffer.changesSince(startPosition, isRecipientOfAll)).toMatchObject([{ resource: 'user', version: 3 }]);
    expect(scanned).toBe(1);
  });

  it('returns null if the matching changes are too long to send', () => {
    const startPosition = buffer.position();
    const text = 'x'.repeat(MAX_REPLAY_LENGTH / 4);
    for (let seq = 11; seq < 15; seq += 1)
      add(seq, {
        id: String(seq).padStart(24, '0'),
        tags: seq < 14 ? ['projects'] : ['projects', 'tasks'],
        item: { text },
      });
    expect(buffer.changesSince(startPosition, subscribedTo('tasks'))).toHaveLength(1);
    expect(buffer.changesSince(startPosition, subscribedTo('projects'))).toBeNull();
  });

  it('counts the bytes of every item that it sends: a creation has a copy of the latest', () => {
    const startPosition = buffer.position();
    const addCreated = (seq: number, text: string) => {
      const id = String(seq).padStart(24, '0');
      add(seq, { id, action: 'created', item: { text } });
      add(seq + 1, { id, tags: ['tasks'], item: { text } });
    };
    addCreated(11, 'x'.repeat(0.6 * MAX_REPLAY_LENGTH));
    expect(buffer.changesSince(startPosition, subscribedTo('tasks'))).toHaveLength(1);
    expect(buffer.changesSince(startPosition, subscribedTo('projects'))).toBeNull();
    const laterPosition = buffer.position();
    addCreated(13, '会'.repeat(0.4 * MAX_REPLAY_LENGTH));
    expect(buffer.changesSince(laterPosition, subscribedTo('tasks'))).toBeNull();
  });

  it('returns null for a position of a recreated stream', () => {
    const startPosition = buffer.position();
    buffer.begin('projects', { streamCreatedAt: '2026-11-21T08:00:00Z', seq: 0 });
    add(11);
    expect(buffer.changesSince(startPosition, subscribedTo('projects'))).toBeNull();
  });

  it('bounds its memory, and stores equal lists of users once', () => {
    const users = Array.from({ length: 5_000 }, (_, n) => String(n).padStart(24, '0'));
    const addMeeting = (seq: number, ids: string[]) => add(seq, { tags: ['meetings'] }, { users: ids });
    const startPosition = buffer.position();
    // Stored separately, each list would take 125 KB, and a thousand lists twice the limit.
    for (let seq = 11; seq < 1_011; seq += 1) addMeeting(seq, [ANN, ...users]);
    expect(listVersions(startPosition)).toEqual(['project 1010']);
    for (let seq = 1_011; seq < 1_611; seq += 1) addMeeting(seq, [ANN, ...users, String(seq).padStart(24, '1')]);
    expect(listVersions(startPosition)).toBeUndefined();
    expect(listVersions(buffer.position())).toEqual([]);
  });

  it('stores only the latest item of a resource, within the limit of its memory', () => {
    const startPosition = buffer.position();
    const addItems = (from: number, getId: (seq: number) => string) => {
      for (let seq = from; seq < from + 2_000; seq += 1)
        add(seq, { id: getId(seq), item: { seq, text: 'x'.repeat(50_000) } });
    };
    addItems(11, () => PROJECT);
    expect(buffer.changesSince(startPosition, subscribedTo('projects'))).toMatchObject([
      { version: 2_010, item: { seq: 2_010 } },
    ]);
    addItems(2_011, (seq) => String(seq).padStart(24, '0'));
    expect(buffer.changesSince(startPosition, subscribedTo('projects'))).toBeNull();
    expect(buffer.changesSince(buffer.position(), subscribedTo('projects'))).toEqual([]);
  });

  it('replays the latest item to clients of an earlier tag, whose own was dropped', () => {
    const startPosition = buffer.position();
    add(11, { tags: ['people'], item: { name: 'A' }, changed: ['name'] });
    add(12, { tags: ['projects'], item: { name: 'B' }, changed: ['status'] });
    expect(buffer.changesSince(startPosition, subscribedTo('people'))).toEqual([
      projectChange({ version: 12, tags: ['people', 'projects'], item: { name: 'B' }, changed: ['name', 'status'] }),
    ]);
  });

  it('does not replay the content of a deleted resource', () => {
    const startPosition = buffer.position();
    add(11, { action: 'created', item: { name: 'A' } });
    add(12, { item: { name: 'B' } });
    add(13, { action: 'deleted', version: 0, item: { name: 'B' } });
    const changes = buffer.changesSince(startPosition, subscribedTo('projects'));
    expect(changes).toMatchObject([{ action: 'created' }, { action: 'deleted' }]);
    expect(changes?.filter(({ item }) => item)).toEqual([]);
  });

  it('does not replay the content of the tasks of a deleted project, which have no events of their own', () => {
    const startPosition = buffer.position();
    const addTask = (seq: number, projectId: string) =>
      add(seq, {
        resource: 'task',
        id: String(seq).padStart(24, '0'),
        tags: ['tasks', `tasks-in:${projectId}`],
        item: { title: 'A' },
      });
    addTask(11, PROJECT);
    addTask(12, 'c'.repeat(24));
    add(13, { action: 'deleted', version: 0, tags: ['projects', 'tasks', `tasks-in:${PROJECT}`] });
    addTask(14, PROJECT);
    const changes = buffer.changesSince(startPosition, subscribedTo('tasks'));
    expect(changes?.map(({ version, item }) => [version, item])).toEqual([
      [11, undefined],
      [12, { title: 'A' }],
      [0, undefined],
      [14, undefined],
    ]);
  });

  it('keeps an item if only a private or an outdated change follows', () => {
    const startPosition = buffer.position();
    add(11, { version: 5, item: { name: 'A' } });
    add(12, { version: 6 }, { users: ['c'.repeat(24)] });
    add(13, { version: 4, item: { name: 'outdated' } });
    expect(buffer.changesSince(startPosition, subscribedTo('projects'))).toEqual([
      projectChange({ version: 5, item: { name: 'A' } }),
    ]);
  });
});

it('a replay buffer is complete once all producers have caught up', () => {
  const emptyBuffer = createReplayBuffer(['users', 'projects']);
  emptyBuffer.begin('users', { streamCreatedAt: STREAM_CREATED_AT, seq: 0 });
  emptyBuffer.advance('users', { streamCreatedAt: STREAM_CREATED_AT, seq: 4 });
  expect(emptyBuffer.isComplete()).toBe(false);
  emptyBuffer.begin('projects', { streamCreatedAt: STREAM_CREATED_AT, seq: 0 });
  emptyBuffer.advance('projects', { streamCreatedAt: STREAM_CREATED_AT, seq: 0 });
  expect(emptyBuffer.isComplete()).toBe(true);
});

it('a replay buffer resolves whenComplete once complete, or after the timeout', async () => {
  const emptyBuffer = createReplayBuffer(['users', 'projects']);
  let isResolved = false;
  const completion = emptyBuffer.whenComplete(60_000).then(() => {
    isResolved = true;
  });
  for (const producer of ['users', 'projects']) {
    emptyBuffer.begin(producer, { streamCreatedAt: STREAM_CREATED_AT, seq: 10 });
    await Promise.resolve();
    expect(isResolved).toBe(false);
    emptyBuffer.advance(producer, { streamCreatedAt: STREAM_CREATED_AT, seq: 10 });
  }
  await completion;
  await createReplayBuffer(['users']).whenComplete(1);
});
