import type { Logger } from '@atrium/service-kit/observability/logger';
import type { Db } from '@atrium/service-kit/postgres/postgres';
import { filterParticipants, listMemberships } from '../../conversations/participant-repository.ts';
import { type AnySocket, localSockets, type Sockets } from '../../sockets/socket-server.ts';
import { createMembershipBroadcast, type SyncMembership } from '../membership-broadcast.ts';
import type { RealtimeRedis } from '../redis.ts';
import { conversationRoom, isConversationRoom, userRoom } from '../rooms.ts';
import { createMembershipVersions } from './membership-versions.ts';
import { reconcileRooms } from './reconcile-rooms.ts';

/** Keeps the sockets of all pods in the rooms of their users' conversations. */
export type MembershipRooms = {
  /**
   * Moves these users' sockets in or out on all pods, as the database says, and resolves once all pods have done so. Retries pods that
   * Redis does not reach; if `isLeaving`, first waits until the change has arrived there over NATS. Never rejects.
   */
  sync(conversationId: string, userIds: string[], options: { isLeaving: boolean }): Promise<void>;
  /** Removes users from the room on this pod synchronously, and then syncs everyone affected with the database. */
  applyChange(change: { conversationId: string; addedIds: string[]; removedIds: string[] }): void;
  /** Empties the room of a deleted conversation. */
  clear(conversationId: string): void;
  readMemberships(userId: string): Promise<{ conversations: string[]; membershipVersion: number }>;
  /** Joins the rooms of a new socket; reads the memberships again if they changed since the handshake. */
  enter(socket: AnySocket): Promise<void>;
  /** Syncs the socket's rooms with the database. */
  reconcile(socket: AnySocket): Promise<void>;
  close(): void;
};

type Deps = { sockets: Sockets; redis: RealtimeRedis; db: Db; log: Logger };

export function createMembershipRooms({ sockets, redis, db, log }: Deps): MembershipRooms {
  const namespaces = [sockets.chat, sockets.live];
  const versions = createMembershipVersions();
  const sync: SyncMembership = async (conversationId, userIds, { everywhere = false } = {}) => {
    await versions.readCurrent(
      userIds,
      (some) => filterParticipants(db, conversationId, some),
      (found, some) => {
        const participants = new Set(found);
        const inside = some.filter((id) => participants.has(id));
        const outside = some.filter((id) => !participants.has(id));
        versions.advance(some);
        for (const namespace of namespaces) {
          const scope = everywhere ? namespace : namespace.local;
          // An empty list of rooms would select every socket.
          if (inside.length > 0) scope.in(inside.map(userRoom)).socketsJoin(conversationRoom(conversationId));
          if (outside.length > 0) scope.in(outside.map(userRoom)).socketsLeave(conversationRoom(conversationId));
        }
      },
    );
  };
  const reconcileAll = async (some: AnySocket[]) => {
    const byUser = Map.groupBy(some, ({ data }) => data.caller.userId);
    await versions.readCurrent(
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
    reconcile: (userIds) => reconcileAll(userIds.flatMap(socketsOf)),
    log,
  });
  const broadcast = createMembershipBroadcast({ chat: sockets.chat, redis, log, sync });
  return {
    sync: broadcast.sync,
    applyChange({ conversationId, addedIds, removedIds }) {
      const isHere = (userId: string) => namespaces.some(({ adapter }) => adapter.rooms.has(userRoom(userId)));
      const removed = removedIds.filter(isHere);
      const affected = [...addedIds.filter(isHere), ...removed];
      // Invalidates what sockets in their handshake have read.
      versions.advance(removedIds);
      for (const { local } of removed.length > 0 ? namespaces : [])
        local.in(removed.map(userRoom)).socketsLeave(conversationRoom(conversationId));
      if (affected.length === 0) return;
      sync(conversationId, affected).catch((error) => {
        log.warn({ err: error }, 'Failed to sync rooms');
        // The broadcast retries until it succeeds.
        void broadcast.sync(conversationId, affected, { isLeaving: false });
      });
    },
    clear(conversationId) {
      const room = conversationRoom(conversationId);
      for (const namespace of namespaces) {
        namespace.local.in(room).socketsLeave(room);
        namespace.in(room).socketsLeave(room);
      }
    },
    async readMemberships(userId) {
      const [memberships] = await versions.readCurrent(
        [userId],
        (some) => listMemberships(db, some),
        (found) => ({ conversations: found.get(userId) ?? [], membershipVersion: versions.of([userId]) }),
      );
      if (!memberships) throw new Error('Memberships not found after a read');
      return memberships;
    },
    async enter(socket) {
      const { conversations, membershipVersion, caller } = socket.data;
      socket.data.conversations = [];
      if (membershipVersion === versions.of([caller.userId])) moveTo(socket, conversations);
      else await reconcileAll([socket]);
    },
    reconcile: (socket) => reconcileAll([socket]),
    close() {
      reconciling.close();
      broadcast.close();
    },
  };
}

function moveTo(socket: AnySocket, conversations: string[]): void {
  const wanted = new Set(conversations.map(conversationRoom));
  for (const room of socket.rooms) if (isConversationRoom(room) && !wanted.has(room)) void socket.leave(room);
  const missing = [...wanted].filter((room) => !socket.rooms.has(room));
  if (missing.length > 0) void socket.join(missing);
}
