import type { Logger } from '@atrium/service-kit/observability/logger';
import { type ChatNamespace, type ChatSocket, isPresenceRoom, presenceRoom } from '../sockets/socket-server.ts';
import { createPresenceBroadcast } from './presence-broadcast.ts';
import { type PresenceStore, USERS_PER_COMMAND } from './presence-store.ts';

/** A user who reconnects within this time, after a reload or on another pod, stays online. */
const GRACE_MS = 2_000;

type Deps = { chat: ChatNamespace; store: PresenceStore; heartbeatMs: number; log: Logger };

export type Presence = {
  connect(socket: ChatSocket): void;
  subscribe(socket: ChatSocket, userIds: string[]): Promise<{ online: string[] }>;
  /** Without Redis, returns those of this pod only. */
  filterOnline(userIds: readonly string[]): Promise<string[]>;
  refresh(): Promise<void>;
  close(): void;
};

/** Without Redis, each pod knows only its own users. */
export function createPresence(deps: Deps): Presence {
  const { chat, store, log } = deps;
  const broadcast = createPresenceBroadcast(chat, store);
  const localUsers = new Map<string, { sockets: number; graceTimer?: NodeJS.Timeout }>();
  const assumeOffline = () => false;

  const leave = async (userId: string, lastSeen: Date) => {
    localUsers.delete(userId);
    if (!(await store.markOffline(userId).catch(assumeOffline)) && !localUsers.has(userId))
      broadcast.offline(userId, lastSeen);
  };
  const disconnect = (userId: string) => {
    const state = localUsers.get(userId);
    if (!state) return;
    state.sockets -= 1;
    if (state.sockets > 0) return;
    const lastSeen = new Date();
    state.graceTimer = setTimeout(() => void leave(userId, lastSeen), GRACE_MS).unref();
  };
  const sendHeartbeat = async () => {
    const { expiredIds, missingIds } = await store.sendHeartbeat([...localUsers.keys()]);
    for (const userId of expiredIds) if (!localUsers.has(userId)) broadcast.offline(userId, new Date());
    // Other pods may have reported them as offline in the meantime.
    for (const userId of missingIds) if (localUsers.has(userId)) broadcast.online(userId);
  };
  const refresh = () =>
    sendHeartbeat().catch((error) => log.debug({ err: error }, 'Failed to refresh presence in Redis'));
  const timer = setInterval(() => void refresh(), deps.heartbeatMs).unref();

  const filterOnline = async (userIds: readonly string[]): Promise<string[]> => {
    const onlineElsewhere = await Promise.all(
      toBatches(userIds).map((batch) => store.filterOnline(batch).catch((): string[] => [])),
    );
    return [...new Set([...onlineElsewhere.flat(), ...userIds.filter((userId) => localUsers.has(userId))])];
  };

  return {
    connect(socket) {
      const { userId } = socket.data.caller;
      const state = localUsers.get(userId) ?? { sockets: 0 };
      const wasOnline = localUsers.has(userId);
      localUsers.set(userId, state);
      clearTimeout(state.graceTimer);
      state.sockets += 1;
      socket.on('disconnect', () => disconnect(userId));
      if (wasOnline) return;
      void store
        .markOnline(userId)
        .catch(assumeOffline)
        .then((isOnlineElsewhere) => {
          if (!isOnlineElsewhere) broadcast.online(userId);
        });
    },
    async subscribe(socket, userIds) {
      const rooms = new Set(userIds.map(presenceRoom));
      for (const room of socket.rooms) if (isPresenceRoom(room) && !rooms.has(room)) void socket.leave(room);
      // Joins before the query, so that no change in between is missed.
      void socket.join([...rooms]);
      return { online: await filterOnline(userIds) };
    },
    filterOnline,
    refresh,
    close() {
      clearInterval(timer);
      broadcast.close();
      for (const { graceTimer } of localUsers.values()) clearTimeout(graceTimer);
    },
  };
}

const toBatches = (userIds: readonly string[]): string[][] =>
  Array.from({ length: Math.ceil(userIds.length / USERS_PER_COMMAND) }, (_, index) =>
    userIds.slice(index * USERS_PER_COMMAND, (index + 1) * USERS_PER_COMMAND),
  );
