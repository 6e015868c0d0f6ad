import type { Logger } from '@atrium/service-kit/observability/logger';
import type { Db } from '@atrium/service-kit/postgres/postgres';
import { filterParticipants, listMemberships } from '../../conversations/participant-repository.ts';
import { type AnySocket, localSockets, type Sockets } from '../../sockets/socket-server.ts';
import { createMembershipBroadcast, type FollowRooms } from '../membership-broadcast.ts';
import type { RealtimeRedis } from '../redis.ts';
import { conversationRoom, isConversationRoom, userRoom } from '../rooms.ts';
import { createMembershipStamps } from './membership-versions.ts';
import { reconcileRooms } from './reconcile-rooms.ts';

/** Keeps sockets in the rooms of the conversations their people take part in, on whichever pod they are. */
export type MembershipRooms = {
  /**
   * Puts these users in or out on all pods, as the database has it now, and resolves when all have done so. A pod that Redis does not reach
   * hears of the change over NATS, which is waited for where somebody leaves, and is told again as soon as it can be. Never rejects.
   */
  follow(conversationId: string, userIds: string[], how: { isLeaving: boolean }): Promise<void>;
  /** Puts who has left out of the room on this pod in the same turn, and then everybody where they belong by now. */
  hear(changed: { conversationId: string; addedIds: string[]; removedIds: string[] }): void;
  /** Empties the room of a conversation that is gone. */
  clear(conversationId: string): void;
  /** A person's conversations, with a stamp of them. */
  memberships(userId: string): Promise<{ conversations: string[]; stamp: number }>;
  /** Puts an admitted socket into the rooms of its conversations, which are read again if that person's have changed since. */
  enter(socket: AnySocket): Promise<void>;
  /** Puts a socket into the rooms where it belongs by now, and out of all others. */
  correct(socket: AnySocket): Promise<void>;
  close(): void;
};

type Parts = { sockets: Sockets; redis: RealtimeRedis; db: Db; log: Logger };

export function createMembershipRooms({ sockets, redis, db, log }: Parts): MembershipRooms {
  const namespaces = [sockets.chat, sockets.live];
  const stamps = createMembershipStamps();
  const follow: FollowRooms = async (conversationId, userIds, { everywhere = false } = {}) => {
    await stamps.whenCurrent(
      userIds,
      (some) => filterParticipants(db, conversationId, some),
      (found, some) => {
        const takingPart = new Set(found);
        const inside = some.filter((id) => takingPart.has(id));
        const outside = some.filter((id) => !takingPart.has(id));
        stamps.advance(some);
        for (const namespace of namespaces) {
          const scope = everywhere ? namespace : namespace.local;
          // An empty list of rooms would mean every socket there is.
          if (inside.length > 0) scope.in(inside.map(userRoom)).socketsJoin(conversationRoom(conversationId));
          if (outside.length > 0) scope.in(outside.map(userRoom)).socketsLeave(conversationRoom(conversationId));
        }
      },
    );
  };
  const correctAll = async (some: AnySocket[]) => {
    const byUser = Map.groupBy(some, ({ data }) => data.caller.userId);
    await stamps.whenCurrent(
      [...byUser.keys()],
      (userIds) => listMemberships(db, userIds),
      (memberships, userIds) => {
        for (const userId of userIds)
          for (const socket of byUser.get(userId) ?? []) moveTo(socket, memberships.get(userId) ?? []);
      },
    );
  };
  const socketsOf = (userId: string): AnySocket[] =>
    namespaces.flatMap((namespace) =>
      [...(namespace.adapter.rooms.get(userRoom(userId)) ?? [])].flatMap((id) => namespace.sockets.get(id) ?? []),
    );
  const reconciling = reconcileRooms({
    redis,
    listConnectedUsers: () => [...new Set(localSockets(sockets).map(({ data }) => data.caller.userId))],
    reconcile: (userIds) => correctAll(userIds.flatMap(socketsOf)),
    log,
  });
  const news = createMembershipBroadcast({ chat: sockets.chat, redis, log, follow });
  return {
    follow: news.follow,
    hear({ conversationId, addedIds, removedIds }) {
      const isHere = (userId: string) => namespaces.some(({ adapter }) => adapter.rooms.has(userRoom(userId)));
      const gone = removedIds.filter(isHere);
      const concerned = [...addedIds.filter(isHere), ...gone];
      // Whoever is just coming in has read what was true before.
      stamps.advance(removedIds);
      for (const { local } of gone.length > 0 ? namespaces : [])
        local.in(gone.map(userRoom)).socketsLeave(conversationRoom(conversationId));
      if (concerned.length === 0) return;
      follow(conversationId, concerned).catch((error) => {
        // Said again, as to any pod that could not do it.
        log.warn({ err: error }, 'rooms could not be followed');
        void news.follow(conversationId, concerned, { isLeaving: false });
      });
    },
    clear(conversationId) {
      const room = conversationRoom(conversationId);
      for (const namespace of namespaces) {
        namespace.local.in(room).socketsLeave(room);
        namespace.in(room).socketsLeave(room);
      }
    },
    async memberships(userId) {
      const [known] = await stamps.whenCurrent(
        [userId],
        (some) => listMemberships(db, some),
        (found) => ({ conversations: found.get(userId) ?? [], stamp: stamps.of([userId]) }),
      );
      if (!known) throw new Error('nobody was asked for');
      return known;
    },
    async enter(socket) {
      const { conversations, stamp, caller } = socket.data;
      socket.data.conversations = [];
      if (stamp === stamps.of([caller.userId])) moveTo(socket, conversations);
      else await correctAll([socket]);
    },
    correct: (socket) => correctAll([socket]),
    close() {
      reconciling.close();
      news.close();
    },
  };
}

function moveTo(socket: AnySocket, conversations: string[]): void {
  const wanted = new Set(conversations.map(conversationRoom));
  for (const room of socket.rooms) if (isConversationRoom(room) && !wanted.has(room)) void socket.leave(room);
  const missing = [...wanted].filter((room) => !socket.rooms.has(room));
  if (missing.length > 0) void socket.join(missing);
}
