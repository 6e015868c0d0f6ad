import { NAMING_NOBODY, NAMING_PEOPLE, presenceRoom } from '../realtime/rooms.ts';
import type { ChatNamespace } from '../sockets/socket-server.ts';
import { PEOPLE_A_COMMAND, type PresenceStore } from './presence-store.ts';

const WINDOW_MS = 250;
/** Deliveries of presence in one window on this pod: the rest waits for the next, so that a mass arrival never delays messages. */
const DELIVERIES_A_WINDOW = 5_000;
/** So many sockets are passed over in the time that one delivery takes. */
const PASSED_OVER_A_DELIVERY = 50;

export type PresenceNews = { online(user: string): void; offline(user: string, lastSeen: Date): void; close(): void };
type Elsewhere = Pick<PresenceStore, 'among' | 'isAmongPodsOfBefore'>;

/** Tells those who show somebody that they came or went: in small portions, and of each person only the latest. */
export function createPresenceNews(chat: ChatNamespace, elsewhere: Elsewhere): PresenceNews {
  const waiting = new Map<string, Date | 'online'>();
  let timer: NodeJS.Timeout | undefined;
  let isClosed = false;
  const among = async (userIds: string[]) => new Set(await elsewhere.among(userIds).catch(() => []));
  const tell = (user: string, news: Date | 'online', ofBefore: boolean) => {
    const audiences = [chat.to([presenceRoom(user), NAMING_NOBODY])];
    // Passes over every socket of every pod to find those on a pod of before, which are in no room.
    if (ofBefore) audiences.push(chat.except([NAMING_PEOPLE, NAMING_NOBODY]));
    for (const audience of audiences) {
      if (news === 'online') audience.emit('user:online', { user });
      else audience.emit('user:offline', { user, lastSeen: news.toISOString() });
    }
  };
  const costOf = (user: string, ofBefore: boolean) => {
    const sizeOf = (room: string) => chat.adapter.rooms.get(room)?.size ?? 0;
    const passedOver = ofBefore ? chat.sockets.size / PASSED_OVER_A_DELIVERY : 0;
    return 1 + sizeOf(presenceRoom(user)) + sizeOf(NAMING_NOBODY) + passedOver;
  };
  const flush = async () => {
    const portion = [...waiting].slice(0, PEOPLE_A_COMMAND);
    const leaving = portion.filter(([, news]) => news !== 'online').map(([user]) => user);
    // Who went from here may have come to another pod since, whose own window told it already.
    const [back, ofBefore] = await Promise.all([among(leaving), elsewhere.isAmongPodsOfBefore().catch(() => false)]);
    if (isClosed) return;
    const gone: string[] = [];
    let cost = 0;
    for (const [user, news] of portion) {
      if (cost >= DELIVERIES_A_WINDOW) break;
      // Newer news of them wait for an answer of their own.
      if (waiting.get(user) !== news) continue;
      waiting.delete(user);
      if (back.has(user)) continue;
      cost += costOf(user, ofBefore);
      tell(user, news, ofBefore);
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
