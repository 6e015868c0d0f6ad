import type { Audience } from '@atrium/proto-events/live-updates/live-update';
import type { Topic } from '@atrium/proto-events/realtime';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { ADMINS, ALL_TOPICS, conversationRoom, departmentRoom, topicRoom, userRoom } from '../sockets/socket-server.ts';
import { isRecipient, recipientSockets } from './recipients.ts';

const USER_IDS = ['ann', 'ben', 'cleo'];
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

const buildRooms = (sockets: readonly Socket[]) => {
  const rooms = new Map<string, Set<string>>();
  for (const [index, { userId, isAdmin, department, topics, conversations }] of sockets.entries()) {
    const userRooms = [
      userRoom(userId),
      ...(department === null ? [] : [departmentRoom(department)]),
      ...topics.map(topicRoom),
      ...conversations.map(conversationRoom),
    ];
    for (const room of isAdmin ? [...userRooms, ADMINS] : userRooms)
      rooms.set(room, (rooms.get(room) ?? new Set()).add(String(index)));
  }
  return rooms;
};
const subarrayArbitrary = <T>(values: readonly T[]) => fc.subarray([...values]);
const socket: fc.Arbitrary<Socket> = fc.record({
  userId: fc.constantFrom(...USER_IDS),
  isAdmin: fc.boolean(),
  department: fc.constantFrom(null, ...DEPARTMENTS),
  topics: subarrayArbitrary(TOPICS),
  conversations: subarrayArbitrary(CONVERSATIONS),
});
const audience: fc.Arbitrary<Audience> = fc.oneof(
  fc.constant('everyone' as const),
  fc.record(
    {
      users: subarrayArbitrary(USER_IDS),
      departments: subarrayArbitrary(DEPARTMENTS),
      admins: fc.boolean(),
      conversation: fc.constantFrom(...CONVERSATIONS),
    },
    { requiredKeys: ['users'] },
  ),
);
const update = fc.record({ topics: subarrayArbitrary(TOPICS), audience });

const subscribedTo = (...topics: string[]): Socket => ({
  userId: 'ann',
  isAdmin: false,
  department: null,
  topics,
  conversations: [],
});
const recipients = (sockets: readonly Socket[], audience: Audience, topics: readonly Topic[] = ['meetings']) =>
  [...recipientSockets({ topics, audience }, buildRooms(sockets))].map(Number).sort();

describe('the recipients of a live update', () => {
  it('include the sockets that subscribed to a topic and can see the update', () => {
    const sockets = [
      subscribedTo('meetings'),
      subscribedTo('projects'),
      { ...subscribedTo('meetings'), userId: 'ben' },
    ];
    expect(recipients(sockets, 'everyone')).toEqual([0, 2]);
    expect(recipients(sockets, { users: ['ben', 'cleo'] })).toEqual([2]);
    expect(recipients(sockets, { users: [], admins: true })).toEqual([]);
    const inDepartments = [
      { ...subscribedTo('meetings'), department: 'd1' },
      { ...subscribedTo('meetings'), department: 'd2' },
    ];
    expect(recipients(inDepartments, { users: [], departments: ['d2'] })).toEqual([1]);
    const admins = sockets.map((recipient) => ({ ...recipient, isAdmin: true }));
    expect(recipients(admins, { users: [], admins: true })).toEqual([0, 2]);
  });

  it('include participants of a conversation regardless of their topics, and sockets subscribed to all topics', () => {
    const sockets = [{ ...subscribedTo('projects'), conversations: ['c1'] }, subscribedTo(ALL_TOPICS)];
    expect(recipients(sockets, { users: [], conversation: 'c1' }, [])).toEqual([0]);
    expect(recipients(sockets, 'everyone')).toEqual([1]);
    expect(recipients(sockets, { users: ['ann'] })).toEqual([1]);
    expect(recipients(sockets, { users: ['ben'] })).toEqual([]);
  });

  it('are the same for live delivery and for replays', () => {
    fc.assert(
      fc.property(fc.array(socket, { maxLength: 8 }), update, (sockets, liveUpdate) => {
        const replayRecipients = sockets.flatMap(({ userId, isAdmin, department, topics, conversations }, index) => {
          const recipient = {
            userId,
            isAdmin,
            isInDepartment: (id: string) => department === id,
            isSubscribedTo: (topic: string) => topics.includes(topic),
            isParticipantOf: (id: string) => conversations.includes(id),
          };
          const { audience } = liveUpdate;
          const joinedAudience = audience === 'everyone' ? audience : { ...audience, users: audience.users.join() };
          return isRecipient({ ...liveUpdate, audience: joinedAudience }, recipient) ? [index] : [];
        });
        expect([...recipientSockets(liveUpdate, buildRooms(sockets))].map(Number).sort()).toEqual(replayRecipients);
      }),
    );
  });
});
