import type { Topic } from '@atrium/proto-events/realtime';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { ADMINS, ALL_TOPICS, conversationRoom, departmentRoom, topicRoom, userRoom } from '../realtime/rooms.ts';
import { type Audience, isRecipient, recipientSockets } from './audience.ts';

const PEOPLE = ['ann', 'ben', 'cleo'];
const TOPICS: readonly Topic[] = ['projects', 'meetings', 'people'];
const CONVERSATIONS = ['c1', 'c2'];
const DEPARTMENTS = ['d1', 'd2'];

type Socket = {
  userId: string;
  isAdmin: boolean;
  department: string | null;
  topics: readonly string[];
  conversations: readonly string[];
};

const roomsOf = (sockets: readonly Socket[]) => {
  const rooms = new Map<string, Set<string>>();
  for (const [index, { userId, isAdmin, department, topics, conversations }] of sockets.entries()) {
    const own = [
      userRoom(userId),
      ...(department === null ? [] : [departmentRoom(department)]),
      ...topics.map(topicRoom),
      ...conversations.map(conversationRoom),
    ];
    for (const room of isAdmin ? [...own, ADMINS] : own)
      rooms.set(room, (rooms.get(room) ?? new Set()).add(String(index)));
  }
  return rooms;
};
const some = <T>(of: readonly T[]) => fc.subarray([...of]);
const socket: fc.Arbitrary<Socket> = fc.record({
  userId: fc.constantFrom(...PEOPLE),
  isAdmin: fc.boolean(),
  department: fc.constantFrom(null, ...DEPARTMENTS),
  topics: some(TOPICS),
  conversations: some(CONVERSATIONS),
});
const audience: fc.Arbitrary<Audience> = fc.oneof(
  fc.constant('everyone' as const),
  fc.record(
    {
      users: some(PEOPLE),
      departments: some(DEPARTMENTS),
      admins: fc.boolean(),
      conversation: fc.constantFrom(...CONVERSATIONS),
    },
    { requiredKeys: ['users'] },
  ),
);
const told = fc.record({ topics: some(TOPICS), audience });

const showing = (...topics: string[]): Socket => ({
  userId: 'ann',
  isAdmin: false,
  department: null,
  topics,
  conversations: [],
});
const hearing = (sockets: readonly Socket[], one: Audience, topics: readonly Topic[] = ['meetings']) =>
  [...recipientSockets({ topics, audience: one }, roomsOf(sockets))].map(Number).sort();

describe('who is told', () => {
  it('is who shows it, of what is for everybody; of the rest who may know it, too', () => {
    const sockets = [showing('meetings'), showing('projects'), { ...showing('meetings'), userId: 'ben' }];
    expect(hearing(sockets, 'everyone')).toEqual([0, 2]);
    expect(hearing(sockets, { users: ['ben', 'cleo'] })).toEqual([2]);
    expect(hearing(sockets, { users: [], admins: true })).toEqual([]);
    const inDepartments = [
      { ...showing('meetings'), department: 'd1' },
      { ...showing('meetings'), department: 'd2' },
    ];
    expect(hearing(inDepartments, { users: [], departments: ['d2'] })).toEqual([1]);
    const admins = sockets.map((one) => ({ ...one, isAdmin: true }));
    expect(hearing(admins, { users: [], admins: true })).toEqual([0, 2]);
  });

  it('is who takes part in a conversation, whatever they show, and of everything who has not said what they show', () => {
    const sockets = [{ ...showing('projects'), conversations: ['c1'] }, showing(ALL_TOPICS)];
    expect(hearing(sockets, { users: [], conversation: 'c1' }, [])).toEqual([0]);
    expect(hearing(sockets, 'everyone')).toEqual([1]);
    expect(hearing(sockets, { users: ['ann'] })).toEqual([1]);
    expect(hearing(sockets, { users: ['ben'] })).toEqual([]);
  });

  it('is the same of sockets that are there and of those that come back', () => {
    fc.assert(
      fc.property(fc.array(socket, { maxLength: 8 }), told, (sockets, one) => {
        const comingBack = sockets.flatMap(({ userId, isAdmin, department, topics, conversations }, index) => {
          const listener = {
            userId,
            isAdmin,
            isIn: (id: string) => department === id,
            shows: (topic: string) => topics.includes(topic),
            takesPartIn: (id: string) => conversations.includes(id),
          };
          const { audience: who } = one;
          const kept = who === 'everyone' ? who : { ...who, users: who.users.join() };
          return isRecipient({ ...one, audience: kept }, listener) ? [index] : [];
        });
        expect([...recipientSockets(one, roomsOf(sockets))].map(Number).sort()).toEqual(comingBack);
      }),
    );
  });
});
