import { type ChatNamespace, presenceRoom } from '../sockets/socket-server.ts';
import { type PresenceStore, USERS_PER_COMMAND } from './presence-store.ts';

const WINDOW_MS = 250;
/** Limits each pod, so that many users who connect at the same time do not delay messages. */
const MAX_DELIVERIES_PER_WINDOW = 5_000;

type PresenceBroadcast = {
  online(user: string): void;
  offline(user: string, lastSeen: Date): void;
  close(): void;
};
type State = Date | 'online';

export function createPresenceBroadcast(
  chat: ChatNamespace,
  store: Pick<PresenceStore, 'filterOnline'>,
): PresenceBroadcast {
  const pendingStates = new Map<string, State>();
  let timer: NodeJS.Timeout | undefined;
  let isClosed = false;
  const filterOnline = async (userIds: string[]) => new Set(await store.filterOnline(userIds).catch(() => []));
  const emit = (user: string, state: State) => {
    const audience = chat.to(presenceRoom(user));
    if (state === 'online') audience.emit('user:online', { user });
    else audience.emit('user:offline', { user, lastSeen: state.toISOString() });
  };
  const countDeliveries = (user: string) => 1 + (chat.adapter.rooms.get(presenceRoom(user))?.size ?? 0);
  const flush = async () => {
    const batch = [...pendingStates].slice(0, USERS_PER_COMMAND);
    const disconnectedIds = batch.filter(([, state]) => state !== 'online').map(([user]) => user);
    // Users who disconnected may have connected to another pod, which has already sent `user:online`.
    const reconnectedIds = await filterOnline(disconnectedIds);
    if (isClosed) return;
    const sentOfflineIds: string[] = [];
    let deliveryCount = 0;
    for (const [user, state] of batch) {
      if (deliveryCount >= MAX_DELIVERIES_PER_WINDOW) break;
      // A newer state needs a separate check.
      if (pendingStates.get(user) !== state) continue;
      pendingStates.delete(user);
      if (reconnectedIds.has(user)) continue;
      deliveryCount += countDeliveries(user);
      emit(user, state);
      if (state !== 'online') sentOfflineIds.push(user);
    }
    // Sends users as online again if they connected to another pod after the check.
    for (const user of await filterOnline(sentOfflineIds))
      if (!pendingStates.has(user)) pendingStates.set(user, 'online');
    timer = undefined;
    if (pendingStates.size > 0) scheduleFlush();
  };
  const scheduleFlush = () => {
    if (!isClosed) timer ??= setTimeout(() => void flush(), WINDOW_MS).unref();
  };
  const enqueue = (user: string, state: State) => {
    pendingStates.set(user, state);
    scheduleFlush();
  };
  return {
    online: (user) => enqueue(user, 'online'),
    offline: enqueue,
    close() {
      isClosed = true;
      clearTimeout(timer);
    },
  };
}
