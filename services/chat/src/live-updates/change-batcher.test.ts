import type { LiveUpdate } from '@atrium/proto-events/live-updates/live-update';
import type { UserSummary } from '@atrium/proto-events/people';
import type { Change, LiveServerEvents } from '@atrium/proto-events/realtime';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Server } from 'socket.io';
import { conversationRoom, type LiveNamespace, tagRoom, userRoom } from '../sockets/socket-server.ts';
import {
  type ChangeBatcher,
  createChangeBatcher,
  MAX_CHANGES_PER_FRAME,
  MAX_ITEM_BYTES_PER_FRAME,
  MAX_ITEMS_PER_FRAME,
} from './change-batcher.ts';

type Frame = Parameters<LiveServerEvents['changed']>[0] & { sockets: string[] };

const [PROJECT, TASK] = ['a', 'b'].map((letter) => letter.repeat(24)) as [string, string];
let live: LiveNamespace;
let batcher: ChangeBatcher;
let frames: Frame[];
let position: string;
let people: UserSummary[];

beforeEach(() => {
  jest.useFakeTimers();
  live = new Server().of('/live');
  frames = [];
  position = '1';
  people = [];
  live.adapter.broadcast = ({ data }, { rooms, flags }) => {
    expect(flags?.local).toBe(true);
    const sockets = new Set([...rooms].flatMap((room) => [...(live.adapter.rooms.get(room) ?? [])]));
    const [event, payload] = data as [string, Frame];
    if (event === 'changed') frames.push({ ...payload, sockets: [...sockets].sort() });
  };
  batcher = createChangeBatcher({ live, currentPosition: () => position, listPeople: () => people });
});
afterEach(() => {
  batcher.close();
  jest.useRealTimers();
});

const join = (socketId: string, ...rooms: string[]) => void live.adapter.addAll(socketId, new Set(rooms));
const joinMany = (count: number, room: string) => {
  for (let index = 0; index < count; index += 1) join(`socket ${index}`, room);
};
const change = (overrides: Partial<Change> = {}): Change => ({
  resource: 'project',
  id: PROJECT,
  action: 'updated',
  version: 2,
  tags: ['projects', `project:${PROJECT}`],
  ...overrides,
});
const add = (overrides: Partial<Change> = {}, audience: LiveUpdate['audience'] = 'everyone') =>
  batcher.add({ audience, change: change(overrides) });
const addTask = (overrides: Partial<Change> = {}) =>
  add({ resource: 'task', id: TASK, tags: ['tasks', `task:${TASK}`], ...overrides });
const listDeliveries = () => frames.map(({ sockets, changes }) => [sockets, changes.map(({ resource }) => resource)]);

describe('a change batcher', () => {
  it('sends the changes of a resource in order, although their tags differ', () => {
    join('ann', tagRoom('users'), tagRoom('people'), tagRoom('tasks'));
    add({ resource: 'user', id: 'other', tags: ['users', 'people'] });
    add({ resource: 'user', action: 'created', version: 1, tags: ['users'] });
    addTask();
    add({ resource: 'user', version: 2, tags: ['users', 'people'] });
    jest.advanceTimersByTime(250);
    expect(
      frames.flatMap(({ changes }) => changes.map(({ resource, id, version }) => [resource, id, version])),
    ).toEqual([
      ['user', PROJECT, 1],
      ['task', TASK, 2],
      ['user', 'other', 2],
      ['user', PROJECT, 2],
    ]);
  });

  it('sends earlier items before a new name, which they lack', () => {
    join('ann', tagRoom('users'), tagRoom('departments'), tagRoom('people'));
    add({ resource: 'department', id: 'other', tags: ['departments', 'people'] });
    add({ resource: 'user', tags: ['users'] });
    add({ resource: 'department', tags: ['departments', 'people'] });
    jest.advanceTimersByTime(250);
    expect(listDeliveries()).toEqual([
      [['ann'], ['user']],
      [['ann'], ['department', 'department']],
    ]);
  });

  it('sends each public change once to the sockets that subscribed to one of its tags', () => {
    join('ann', tagRoom('projects'), tagRoom(`project:${PROJECT}`), userRoom('ann'));
    join('ben', tagRoom('projects'), tagRoom('tasks'));
    join('cleo', userRoom('cleo'));
    add();
    addTask();
    add({ resource: 'user', tags: ['users'] });
    jest.advanceTimersByTime(249);
    expect(frames).toEqual([]);
    jest.advanceTimersByTime(1);
    expect(listDeliveries()).toEqual([
      [['ann', 'ben'], ['project']],
      [['ben'], ['task']],
    ]);
  });

  it('sends private changes regardless of subscriptions, to the sockets that are in the rooms then', () => {
    join('ann', userRoom('ann'));
    join('ben', conversationRoom(PROJECT));
    join('cleo', userRoom('cleo'), tagRoom('projects'));
    add({}, { users: ['ann', 'cleo'] });
    add({ resource: 'message' }, { users: [], conversation: PROJECT });
    add({ resource: 'meeting' }, { users: ['dan'] });
    void live.adapter.del('ben', conversationRoom(PROJECT));
    join('ann 2', conversationRoom(PROJECT));
    void live.adapter.del('cleo', userRoom('cleo'));
    jest.advanceTimersByTime(250);
    expect(listDeliveries()).toEqual([
      [['ann'], ['project']],
      [['ann 2'], ['message']],
    ]);
  });

  it('sends one frame for all changes of a tag with many subscribers', () => {
    joinMany(101, tagRoom('tasks'));
    for (let index = 0; index < 20; index += 1) {
      const id = String(index).padStart(24, '0');
      join('ann', tagRoom(`task:${id}`));
      addTask({ id, tags: ['tasks', `task:${id}`] });
    }
    jest.advanceTimersByTime(250);
    expect(frames.filter(({ sockets }) => sockets.length === 101).map(({ changes }) => changes.length)).toEqual([20]);
    expect(frames.filter(({ sockets }) => sockets.join() === 'ann')).toHaveLength(20);
  });

  it.each<[string, string, LiveUpdate['audience']]>([
    ['public', tagRoom('projects'), 'everyone'],
    ['private', conversationRoom(PROJECT), { users: [], conversation: PROJECT }],
  ])('collects %s changes for longer if there are thousands of sockets', (_name, room, audience) => {
    const expectDelay = (ms: number) => {
      const { length } = frames;
      add({}, audience);
      jest.advanceTimersByTime(ms - 1);
      add({ version: 3 }, audience);
      expect(frames).toHaveLength(length);
      jest.advanceTimersByTime(1);
      expect(frames.slice(length)).toMatchObject([{ changes: [{ version: 3 }] }]);
    };
    joinMany(10, room);
    expectDelay(250);
    joinMany(2_500, room);
    expectDelay(500);
    joinMany(10_000, room);
    expectDelay(800);
  });

  it('sends thousands of changes in several frames, whose positions precede the rest', () => {
    join('ann', tagRoom('projects'));
    for (let index = 0; index < 2 * MAX_CHANGES_PER_FRAME + 1; index += 1)
      add({ id: String(index).padStart(24, '0'), changed: ['name'] });
    position = '2';
    jest.advanceTimersByTime(750);
    expect(frames.map((frame) => [frame.changes.length, frame.position])).toEqual([
      [MAX_CHANGES_PER_FRAME, '1'],
      [MAX_CHANGES_PER_FRAME, '1'],
      [1, '2'],
    ]);
    jest.advanceTimersByTime(1_000);
    expect(frames).toHaveLength(3);
  });

  it('sends counts at once, which their service collects, with the projects that wait', () => {
    joinMany(101, tagRoom('projects'));
    join('ann', tagRoom('project-counts'));
    add();
    add({ resource: 'project-counts', id: 'all', tags: ['project-counts'], item: { active: 2 } });
    expect(frames).toMatchObject([
      { sockets: { length: 102 }, changes: [{ resource: 'project' }, { item: { active: 2 } }] },
    ]);
    jest.advanceTimersByTime(1_000);
    expect(frames).toHaveLength(1);
  });

  it('merges changes of a resource', () => {
    join('ann', tagRoom('projects'));
    add({ changed: ['name'] });
    add({ version: 3, changed: ['status'] });
    jest.advanceTimersByTime(250);
    expect(frames[0]?.changes).toEqual([change({ version: 3, changed: ['name', 'status'] })]);
  });

  it('sends the position before the oldest change that is not sent yet', () => {
    join('ann', tagRoom('projects'), tagRoom('tasks'), userRoom('ann'));
    join('bob', userRoom('bob'));
    joinMany(2_500, tagRoom('tasks'));
    add();
    position = '2';
    add({ resource: 'meeting' }, { users: ['ann'] });
    position = '3';
    addTask();
    position = '4';
    jest.advanceTimersByTime(100);
    add({ resource: 'meeting' }, { users: ['bob'] });
    position = '5';
    jest.advanceTimersByTime(150);
    // The second is still to be sent when the first is, and the third for another 250 ms.
    expect(frames.map((frame) => frame.position)).toEqual(['2', '3']);
    jest.advanceTimersByTime(100);
    expect(frames.at(-1)).toMatchObject({ position: '3', sockets: ['bob'] });
    jest.advanceTimersByTime(150);
    expect(frames.at(-1)).toMatchObject({ position: '5', changes: [{ resource: 'task' }] });
  });

  it('does not let changes without recipients delay the position', () => {
    join('ann', tagRoom('projects'));
    addTask();
    position = '2';
    add();
    position = '3';
    jest.advanceTimersByTime(250);
    expect(frames.map((frame) => frame.position)).toEqual(['3']);
  });

  it('adds the people of the items, and how long many browsers spread their requests', () => {
    join('ann', tagRoom('tasks'));
    joinMany(400, tagRoom('projects'));
    people = [{ _id: TASK, firstName: 'Ann', lastName: 'Lee' }];
    add();
    jest.advanceTimersByTime(250);
    people = [];
    addTask();
    jest.advanceTimersByTime(250);
    expect(frames).toEqual([
      expect.objectContaining({ people: [{ _id: TASK, firstName: 'Ann', lastName: 'Lee' }], spreadMs: 2_000 }),
      { sockets: ['ann'], changes: [expect.anything()], position: '1' },
    ]);
  });

  it('sends no items with an unusual number of changes', () => {
    join('ann', tagRoom('projects'));
    const addMany = (count: number) => {
      for (let index = 0; index < count; index += 1) add({ id: String(index).padStart(24, '0'), item: {} });
      jest.advanceTimersByTime(250);
      return frames.at(-1)?.changes.filter(({ item }) => item).length;
    };
    expect([addMany(MAX_ITEMS_PER_FRAME), addMany(MAX_ITEMS_PER_FRAME + 1)]).toEqual([MAX_ITEMS_PER_FRAME, 0]);
    expect(frames.at(-1)?.changes).toHaveLength(MAX_ITEMS_PER_FRAME + 1);
  });

  it('sends no items in a frame that would be too long, in bytes', () => {
    join('ann', tagRoom('tasks'));
    const addText = (text: string) => {
      addTask({ item: { text } });
      jest.advanceTimersByTime(250);
      return frames.at(-1)?.changes.map(({ item }) => item !== undefined);
    };
    expect(addText('x'.repeat(MAX_ITEM_BYTES_PER_FRAME / 2))).toEqual([true]);
    expect(addText('会'.repeat(MAX_ITEM_BYTES_PER_FRAME / 2))).toEqual([false]);
  });

  it('sends what is waiting when it is closed, and nothing later', () => {
    join('ann', tagRoom('projects'));
    add();
    batcher.close();
    expect(frames).toHaveLength(1);
    jest.advanceTimersByTime(60_000);
    expect(frames).toHaveLength(1);
  });
});
