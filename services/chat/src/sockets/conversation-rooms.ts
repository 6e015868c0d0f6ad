import type { Logger } from '@atrium/service-kit/observability/logger';
import type { Db } from '@atrium/service-kit/postgres/postgres';
import { retryUntilDone } from '@atrium/service-kit/process/retry';
import { filterParticipants, listConversationIds } from '../model/conversations/participant-repository.ts';
import { createParticipationVersions } from './participation-versions.ts';
import {
  type AnySocket,
  conversationRoom,
  isConversationRoom,
  type ParticipantsChange,
  type SocketServer,
  userRoom,
} from './socket-server.ts';

/**
 * Keeps the sockets of this pod in the rooms of their users' conversations. Pods learn of changes over Redis and,
 * reliably, over NATS; until then, `FormerParticipants` protects broadcasts.
 */
export type ConversationRooms = {
  /** Removes users synchronously, then reconciles with the database. Retries until it succeeds. */
  apply(change: ParticipantsChange): Promise<void>;
  broadcast(change: ParticipantsChange): Promise<void>;
  clear(conversationId: string): void;
  readConversations(userId: string): Promise<{ conversations: string[]; participationVersion: number }>;
  /** Joins the rooms of the conversations from the handshake, which are read again if they changed since then. */
  enter(socket: AnySocket): Promise<void>;
  reconcile(socket: AnySocket): Promise<void>;
  close(): void;
};

type Deps = { sockets: SocketServer; db: Db; log: Logger };

export function createConversationRooms({ sockets: { chat, live }, db, log }: Deps): ConversationRooms {
  const namespaces = [chat, live];
  const versions = createParticipationVersions();
  const stopController = new AbortController();
  const hasLocalSockets = (userId: string) => namespaces.some(({ adapter }) => adapter.rooms.has(userRoom(userId)));
  /** An empty list of rooms would select every socket. */
  const join = (conversationId: string, userIds: string[]) => {
    for (const { local } of userIds.length > 0 ? namespaces : [])
      local.in(userIds.map(userRoom)).socketsJoin(conversationRoom(conversationId));
  };
  const leave = (conversationId: string, userIds: string[]) => {
    for (const { local } of userIds.length > 0 ? namespaces : [])
      local.in(userIds.map(userRoom)).socketsLeave(conversationRoom(conversationId));
  };
  const sync = (conversationId: string, userIds: string[]) =>
    versions.readCurrent(
      userIds,
      (userIds) => filterParticipants(db, conversationId, userIds),
      (participantIds, userIds) => {
        const currentIds = new Set(participantIds);
        join(
          conversationId,
          userIds.filter((id) => currentIds.has(id)),
        );
        leave(
          conversationId,
          userIds.filter((id) => !currentIds.has(id)),
        );
      },
    );
  const apply = async ({ conversationId, addedIds, removedIds }: ParticipantsChange): Promise<void> => {
    // Invalidates what sockets in their handshake have read.
    versions.advance([...addedIds, ...removedIds]);
    leave(conversationId, removedIds.filter(hasLocalSockets));
    const localUserIds = [...addedIds, ...removedIds].filter(hasLocalSockets);
    if (localUserIds.length === 0) return;
    await retryUntilDone('rooms', () => sync(conversationId, localUserIds), log, stopController.signal).catch(
      (error) => {
        if (!stopController.signal.aborted) throw error;
      },
    );
  };
  const readConversations = async (userId: string) => {
    const [result] = await versions.readCurrent(
      [userId],
      () => listConversationIds(db, userId),
      (conversations) => ({ conversations, participationVersion: versions.get(userId) }),
    );
    if (!result) throw new Error('Conversations not found after a read');
    return result;
  };
  const reconcile = async (socket: AnySocket) => {
    const { userId } = socket.data.caller;
    await versions.readCurrent(
      [userId],
      () => listConversationIds(db, userId),
      (conversations) => moveToConversations(socket, conversations),
    );
  };
  chat.on('membership:change', (change) => void apply(change));
  return {
    apply,
    broadcast(change) {
      chat.serverSideEmit('membership:change', change);
      return apply(change);
    },
    clear(conversationId) {
      const room = conversationRoom(conversationId);
      for (const namespace of namespaces) {
        namespace.local.in(room).socketsLeave(room);
        namespace.in(room).socketsLeave(room);
      }
    },
    readConversations,
    async enter(socket) {
      const { conversations, participationVersion, caller } = socket.data;
      socket.data.conversations = [];
      if (participationVersion === versions.get(caller.userId)) moveToConversations(socket, conversations);
      else await reconcile(socket);
    },
    reconcile,
    close: () => stopController.abort(),
  };
}

function moveToConversations(socket: AnySocket, conversations: string[]): void {
  const targetRooms = new Set(conversations.map(conversationRoom));
  for (const room of socket.rooms) if (isConversationRoom(room) && !targetRooms.has(room)) void socket.leave(room);
  const missingRooms = [...targetRooms].filter((room) => !socket.rooms.has(room));
  if (missingRooms.length > 0) void socket.join(missingRooms);
}
