import { presenceRoom } from '../realtime/rooms.ts';
import type { ChatNamespace } from '../sockets/socket-server.ts';
import { PEOPLE_A_COMMAND, type PresenceStore } from './presence-store.ts';

const WINDOW_MS = 250;
/** Deliveries of presence in one window on this pod: the rest waits for the next, so that a mass arrival never delays messages. */
const DELIVERIES_A_WINDOW = 5_000;

export type PresenceBroadcast = {
  online(user: string): void;
  offline(user: string, lastSeen: Date): void;
  close(): void;
};
type Elsewhere = Pick<PresenceStore, 'filterOnline'>;

/** Tells those who show somebody that they came or went: in small portions, and of each person only the latest. */
export function createPresenceNews(chat: ChatNamespace, elsewhere: Elsewhere): PresenceBroadcast {
  const waiting = new Map<string, Date | 'online'>();
  let timer: NodeJS.Timeout | undefined;
  let isClosed = false;
  const among = async (userIds: string[]) => new Set(await elsewhere.filterOnline(userIds).catch(() => []));
  const tell = (user: string, news: Date | 'online') => {
    const audience = chat.to(presenceRoom(user));
    if (news === 'online') audience.emit('user:online', { user });
    else audience.emit('user:offline', { user, lastSeen: news.toISOString() });
  };
  const costOf = (user: string) => 1 + (chat.adapter.rooms.get(presenceRoom(user))?.size ?? 0);
  const flush = async () => {
    const portion = [...waiting].slice(0, PEOPLE_A_COMMAND);
    const leaving = portion.filter(([, news]) => news !== 'online').map(([user]) => user);
    // Who went from here may have come to another pod since, whose own window told it already.
    const back = await among(leaving);
    if (isClosed) return;
    const gone: string[] = [];
    let cost = 0;
    for (const [user, news] of portion) {
      if (cost >= DELIVERIES_A_WINDOW) break;
      // Newer news of them wait for an answer of their own.
      if (waiting.get(user) !== news) continue;
      waiting.delete(user);
      if (back.has(user)) continue;
      cost += costOf(user);
      tell(user, news);
      if (news !== 'online') gone.push(user);
    }
    // Who came to another pod between that answer and now is told of once more, last.
    for (const user of await among(gone)) if (!waiting.has(user)) waiting.set(user, 'online');
    timer = undefined;
    if (waiting.size > 0) arm();
  };
  const arm = () => {
    if (!isClosed) timer ??= setTimeout(() => void flush(), WINDOW_MS).unref();
  };
  const note = (user: string, news: Date | 'online') => {
    waiting.set(user, news);
    arm();
  };
  return {
    online: (user) => note(user, 'online'),
    offline: note,
    close() {
      isClosed = true;
      clearTimeout(timer);
    },
  };
}
