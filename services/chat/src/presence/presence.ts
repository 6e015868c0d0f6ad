import type { Logger } from '@atrium/service-kit/observability/logger';
import { isPresenceRoom, presenceRoom } from '../realtime/rooms.ts';
import type { ChatNamespace, ChatSocket } from '../sockets/socket-server.ts';
import { createPresenceNews } from './presence-broadcast.ts';
import type { PresenceStore } from './presence-store.ts';

/** Who loses their last socket may be back in a moment, from a reload or on another pod: nobody hears of that. */
const GRACE_MS = 2_000;

type Parts = { chat: ChatNamespace; store: PresenceStore; beatMs: number; log: Logger };

export type Presence = {
  arrive(socket: ChatSocket): void;
  /** Has a socket told of these people alone, and answers who of them is online. */
  show(socket: ChatSocket, userIds: string[]): Promise<{ online: string[] }>;
  /** Has the other pods know who is here, at once: before browsers are told to ask again. */
  refresh(): Promise<void>;
  close(): void;
};

/** Online is having a socket, on whichever pod (decisions, section 7). Without Redis each pod knows its own. */
export function createPresence(parts: Parts): Presence {
  const { chat, store, log } = parts;
  const news = createPresenceNews(chat, store);
  const here = new Map<string, { sockets: number; leaving?: NodeJS.Timeout }>();
  const alone = () => false;

  const leave = async (userId: string, lastSeen: Date) => {
    here.delete(userId);
    if (!(await store.markOffline(userId).catch(alone)) && !here.has(userId)) news.offline(userId, lastSeen);
  };
  const depart = (userId: string) => {
    const state = here.get(userId);
    if (!state) return;
    state.sockets -= 1;
    if (state.sockets > 0) return;
    const lastSeen = new Date();
    state.leaving = setTimeout(() => void leave(userId, lastSeen), GRACE_MS).unref();
  };
  const beat = async () => {
    const { lost, unknown } = await store.beat([...here.keys()]);
    for (const userId of lost) if (!here.has(userId)) news.offline(userId, new Date());
    // Whoever was asked meanwhile has said that they are offline.
    for (const userId of unknown) if (here.has(userId)) news.online(userId);
  };
  const refresh = () => beat().catch((error) => log.debug({ err: error }, 'presence is known for this pod alone'));
  const timer = setInterval(() => void refresh(), parts.beatMs).unref();

  return {
    arrive(socket) {
      const { userId } = socket.data.caller;
      const state = here.get(userId) ?? { sockets: 0 };
      const known = here.has(userId);
      here.set(userId, state);
      clearTimeout(state.leaving);
      state.sockets += 1;
      socket.on('disconnect', () => depart(userId));
      if (known) return;
      void store
        .markOnline(userId)
        .catch(alone)
        .then((elsewhere) => {
          if (!elsewhere) news.online(userId);
        });
    },
    async show(socket, userIds) {
      const wanted = new Set(userIds.map(presenceRoom));
      for (const room of socket.rooms) if (isPresenceRoom(room) && !wanted.has(room)) void socket.leave(room);
      // Before it is asked who is there, so that whoever comes or goes meanwhile is heard of.
      void socket.join([...wanted]);
      const elsewhere = await store.filterOnline(userIds).catch(() => []);
      return { online: [...new Set([...elsewhere, ...userIds.filter((userId) => here.has(userId))])] };
    },
    refresh,
    close() {
      clearInterval(timer);
      news.close();
      for (const { leaving } of here.values()) clearTimeout(leaving);
    },
  };
}
