import type { Db } from '@atrium/service-kit/postgres';
import { listMemberships, whoTakesPart } from '../conversations/participant-repository.ts';
import { conversationRoom, isConversationRoom, userRoom } from './rooms.ts';
import { localSockets, type Sockets } from './socket-server.ts';

/** Keeps sockets in the rooms of the conversations their people take part in, on whichever pod they are. */
export type MembershipRooms = {
  /** Puts these people in or out, as the database has it now. */
  follow(conversationId: string, userIds: string[]): Promise<void>;
  /** Empties the room of a conversation that is gone. */
  clear(conversationId: string): void;
  /** Compares every socket of this pod with the database: what other pods said while Redis was away was not heard. */
  compare(): Promise<void>;
};

const PEOPLE_A_QUERY = 1_000;

export function createMembershipRooms(sockets: Sockets, db: Db): MembershipRooms {
  const namespaces = [sockets.chat, sockets.live];
  // An empty list of rooms would mean every socket there is.
  const join = (userIds: string[], room: string) => {
    if (userIds.length === 0) return;
    for (const namespace of namespaces) {
      namespace.local.in(userIds.map(userRoom)).socketsJoin(room);
      namespace.in(userIds.map(userRoom)).socketsJoin(room);
    }
  };
  const leave = (rooms: string[], room: string) => {
    if (rooms.length === 0) return;
    for (const namespace of namespaces) {
      namespace.local.in(rooms).socketsLeave(room);
      namespace.in(rooms).socketsLeave(room);
    }
  };
  return {
    async follow(conversationId, userIds) {
      const inside = await whoTakesPart(db, conversationId, userIds);
      join(inside, conversationRoom(conversationId));
      const outside = userIds.filter((id) => !inside.includes(id));
      leave(outside.map(userRoom), conversationRoom(conversationId));
    },
    clear: (conversationId) => leave([conversationRoom(conversationId)], conversationRoom(conversationId)),
    compare: () => compare(sockets, db),
  };
}

async function compare(sockets: Sockets, db: Db): Promise<void> {
  const byUser = Map.groupBy(localSockets(sockets), (socket) => socket.data.caller.userId);
  const userIds = [...byUser.keys()];
  for (let at = 0; at < userIds.length; at += PEOPLE_A_QUERY) {
    const some = userIds.slice(at, at + PEOPLE_A_QUERY);
    const memberships = await listMemberships(db, some);
    for (const userId of some) {
      const wanted = new Set((memberships.get(userId) ?? []).map(conversationRoom));
      for (const socket of byUser.get(userId) ?? []) {
        for (const room of socket.rooms) if (isConversationRoom(room) && !wanted.has(room)) void socket.leave(room);
        void socket.join([...wanted]);
      }
    }
  }
}
