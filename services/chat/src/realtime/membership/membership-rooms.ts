import type { Logger } from '@atrium/service-kit/observe/logger';
import type { Db } from '@atrium/service-kit/postgres/postgres';
import { listMemberships, whoTakesPart } from '../../conversations/participant-repository.ts';
import { type AnySocket, localSockets, type Sockets } from '../../sockets/socket-server.ts';
import { keepComparing } from '../keep-comparing.ts';
import { createPodNews, type FollowRooms } from '../pod-news.ts';
import type { RealtimeRedis } from '../redis.ts';
import { conversationRoom, isConversationRoom, userRoom } from '../rooms.ts';
import { createMembershipStamps } from './membership-stamps.ts';

/** Keeps sockets in the rooms of the conversations their people take part in, on whichever pod they are. */
export type MembershipRooms = {
  /**
   * Puts these people in or out on all pods, as the database has it now, and resolves when all have done so. A pod that cannot be told is
   * told as soon as it can be; it compares by itself meanwhile, which is waited for where somebody leaves. Never rejects.
   */
  follow(conversationId: string, userIds: string[], how: { isLeaving: boolean }): Promise<void>;
  /** Puts who has left out of the room on this pod in the same turn, and then everybody where they belong by now. */
  hear(changed: { conversationId: string; addedIds: string[]; removedIds: string[] }): void;
  /** Empties the room of a conversation that is gone. */
  clear(conversationId: string): void;
  /** While other pods are not heard: puts whoever has left out of a room, before something is said in it. */
  verify(conversationId: string): Promise<void>;
  /** A person's conversations, with a stamp of them. */
  memberships(userId: string): Promise<{ conversations: string[]; stamp: number }>;
  /** Puts an admitted socket into the rooms of its conversations, which are read again if that person's have changed since. */
  enter(socket: AnySocket): Promise<void>;
  /** Puts a socket into the rooms where it belongs by now, and out of all others. */
  correct(socket: AnySocket): Promise<void>;
  close(): void;
};

const PEOPLE_A_QUERY = 1_000;

type Parts = { sockets: Sockets; redis: RealtimeRedis; db: Db; log: Logger };

export function createMembershipRooms({ sockets, redis, db, log }: Parts): MembershipRooms {
  const namespaces = [sockets.chat, sockets.live];
  const stamps = createMembershipStamps();
  const follow: FollowRooms = async (conversationId, userIds, { everywhere = false } = {}) => {
    await stamps.whenCurrent(
      userIds,
      (some) => whoTakesPart(db, conversationId, some),
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
  const compareAll = async () => {
    const byUser = Map.groupBy(localSockets(sockets), (socket) => socket.data.caller.userId);
    const everybody = [...byUser.values()];
    for (let at = 0; at < everybody.length; at += PEOPLE_A_QUERY) {
      await correctAll(everybody.slice(at, at + PEOPLE_A_QUERY).flat());
    }
  };
  const comparing = keepComparing(redis, compareAll, log);
  const news = createPodNews({ chat: sockets.chat, redis, log, follow });
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
    async verify(conversationId) {
      if (!comparing.isBehind()) return;
      const inside = localSockets(sockets).filter(({ rooms }) => rooms.has(conversationRoom(conversationId)));
      await follow(conversationId, [...new Set(inside.map(({ data }) => data.caller.userId))]);
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
      comparing.close();
      news.close();
    },
  };
}

function moveTo(socket: AnySocket, conversations: string[]): void {
  const wanted = new Set(conversations.map(conversationRoom));
  for (const room of socket.rooms) if (isConversationRoom(room) && !wanted.has(room)) void socket.leave(room);
  void socket.join([...wanted]);
}
