import { NAMING_PEOPLE, presenceRoom } from '../realtime/rooms.ts';
import type { ChatNamespace } from '../sockets/socket-server.ts';

const WINDOW_MS = 250;
/** Deliveries of presence in one window on this pod: the rest waits for the next, so that a mass arrival never delays messages. */
const DELIVERIES_A_WINDOW = 5_000;

export type PresenceNews = { online(user: string): void; offline(user: string, lastSeen: Date): void; close(): void };

/** Tells those who show somebody that they came or went: in small portions, and of each person only the latest. */
export function createPresenceNews(chat: ChatNamespace): PresenceNews {
  const waiting = new Map<string, Date | 'online'>();
  let timer: NodeJS.Timeout | undefined;
  const flush = () => {
    timer = undefined;
    const { rooms } = chat.adapter;
    const sizeOf = (room: string) => rooms.get(room)?.size ?? 0;
    const ofBefore = chat.sockets.size - sizeOf(NAMING_PEOPLE);
    let deliveries = 0;
    for (const [user, news] of waiting) {
      if (deliveries >= DELIVERIES_A_WINDOW) break;
      waiting.delete(user);
      deliveries += 1 + ofBefore + sizeOf(presenceRoom(user));
      // Two audiences, since a socket on a pod of before is in no such room.
      for (const audience of [chat.to(presenceRoom(user)), chat.except(NAMING_PEOPLE)]) {
        if (news === 'online') audience.emit('user:online', { user });
        else audience.emit('user:offline', { user, lastSeen: news.toISOString() });
      }
    }
    if (waiting.size > 0) arm();
  };
  const arm = () => {
    timer ??= setTimeout(flush, WINDOW_MS).unref();
  };
  const note = (user: string, news: Date | 'online') => {
    waiting.set(user, news);
    arm();
  };
  return {
    online: (user) => note(user, 'online'),
    offline: note,
    close: () => clearTimeout(timer),
  };
}
