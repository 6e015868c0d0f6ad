import type { ChatNamespace } from '../sockets/socket-server.ts';

const WINDOW_MS = 250;
/** Deliveries of presence in one window on this pod: the rest waits for the next, so that a mass arrival never delays messages. */
const DELIVERIES_A_WINDOW = 5_000;

export type PresenceNews = { online(user: string): void; offline(user: string, lastSeen: Date): void; close(): void };

/** Tells everyone who came and who went: in small portions, and of each person only the latest. */
export function createPresenceNews(chat: ChatNamespace): PresenceNews {
  const waiting = new Map<string, Date | 'online'>();
  let timer: NodeJS.Timeout | undefined;
  const flush = () => {
    timer = undefined;
    const portion = Math.max(1, Math.floor(DELIVERIES_A_WINDOW / (chat.sockets.size + 1)));
    for (const [user, news] of [...waiting].slice(0, portion)) {
      waiting.delete(user);
      if (news === 'online') chat.emit('user:online', { user });
      else chat.emit('user:offline', { user, lastSeen: news.toISOString() });
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
