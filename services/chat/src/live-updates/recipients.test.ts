import type { Tag } from '@atrium/proto-events/change-tags';
import type { Audience, LiveUpdate } from '@atrium/proto-events/live-updates/live-update';
import { describe, expect, it } from '@jest/globals';
import { ADMINS, conversationRoom, departmentRoom, tagRoom, userRoom } from '../sockets/socket-server.ts';
import { isRecipient, type Recipient, selectRooms } from './recipients.ts';

const update = (audience: Audience, tags: readonly Tag[] = ['meetings']): LiveUpdate => ({
  audience,
  change: { resource: 'meeting', id: 'a'.repeat(24), action: 'updated', version: 2, tags },
});

type Viewer = {
  userId?: string;
  isAdmin?: boolean;
  department?: string;
  tags?: readonly string[];
  conversations?: readonly string[];
};
const recipient = ({
  userId = 'ann',
  isAdmin = false,
  department,
  tags = [],
  conversations = [],
}: Viewer = {}): Recipient => ({
  userId,
  isAdmin,
  isInDepartment: (id) => department === id,
  isSubscribedTo: (tag) => tags.includes(tag),
  isParticipantOf: (id) => conversations.includes(id),
});

describe('the recipients of a live update', () => {
  it('are those subscribed to one of its tags if it is for everyone', () => {
    const publicUpdate = update('everyone', ['projects', 'people']);
    const isSubscriber = (viewer: Viewer) => isRecipient(publicUpdate, recipient(viewer));
    expect([{ tags: ['people'] }, { tags: ['meetings'] }, { isAdmin: true }].map(isSubscriber)).toEqual([
      true,
      false,
      false,
    ]);
  });

  it.each<[string, Audience, Viewer, Viewer]>([
    ['its users', { users: ['ben', 'cleo'] }, { userId: 'ben' }, { userId: 'ann' }],
    ['administrators', { users: [], admins: true }, { isAdmin: true }, {}],
    ['its departments', { users: [], departments: ['d1', 'd2'] }, { department: 'd2' }, { department: 'd3' }],
    ['participants', { users: [], conversation: 'c1' }, { conversations: ['c1'] }, { conversations: ['c2'] }],
  ])('are otherwise only %s, regardless of subscriptions', (_name, audience, included, excluded) => {
    expect(isRecipient(update(audience), recipient(included))).toBe(true);
    expect(isRecipient(update(audience), recipient({ ...excluded, tags: ['meetings'] }))).toBe(false);
  });
});

describe('the rooms of a live update', () => {
  const roomsOf = (sizes: Readonly<Record<string, number>>) =>
    new Map(Object.entries(sizes).map(([tag, size]) => [tagRoom(tag), { size }]));

  it('are those of its subscribed tags, small ones united and large ones alone', () => {
    const publicUpdate = update('everyone', ['tasks', 'tasks-in:p', 'task:t', 'tasks-of:ann', 'projects']);
    const rooms = roomsOf({ tasks: 101, 'tasks-in:p': 100, 'task:t': 1, projects: 5_000, users: 3 });
    expect(selectRooms(publicUpdate, rooms)).toEqual([
      [tagRoom('tasks')],
      [tagRoom('projects')],
      [tagRoom('tasks-in:p'), tagRoom('task:t')],
    ]);
    expect(selectRooms(publicUpdate, roomsOf({ users: 3 }))).toEqual([]);
  });

  it('are all of a private audience, which sockets may still join', () => {
    const audience = { users: ['ann', 'ben'], departments: ['d1'], admins: true, conversation: 'c1' };
    expect(selectRooms(update(audience), new Map())).toEqual([
      [userRoom('ann'), userRoom('ben'), departmentRoom('d1'), ADMINS, conversationRoom('c1')],
    ]);
    expect(selectRooms(update({ users: [], admins: false }), new Map())).toEqual([[]]);
  });
});
