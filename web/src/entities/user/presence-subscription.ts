import type { ChatClientEvents, MAX_PRESENCE_SUBSCRIPTIONS } from '@atrium/proto-events/realtime';

type SubscribeResponse = Parameters<Parameters<ChatClientEvents['presence:subscribe']>[1]>[0];

type PresenceSubscriptionParams = {
  isConnected: () => boolean;
  send: (users: string[]) => Promise<SubscribeResponse>;
  applyResponse: (users: readonly string[], online: readonly string[]) => void;
};

export type PresenceSubscription = {
  show: (users: readonly string[]) => () => void;
  /** Call on a new connection, or after events may have been missed. */
  begin: () => void;
  stop: () => void;
};

const MAX_USERS: typeof MAX_PRESENCE_SUBSCRIPTIONS = 500;
/** Navigation hides and shows many users at once. */
const DEBOUNCE_MS = 50;
/** Users may become visible again with the next navigation, and keeping them subscribed is cheap. */
const UNSUBSCRIBE_DELAY_MS = 10_000;
const RETRY_DELAY_MS = 5_000;

/** Subscribes to visible users, with one request at a time. Above the limit, subscribes to the most recently shown. */
export function createPresenceSubscription({
  isConnected,
  send,
  applyResponse,
}: PresenceSubscriptionParams): PresenceSubscription {
  /** Counts how often each user is on the screen, zero if just hidden. The most recently shown user is last. */
  const visibleUsers = new Map<string, number>();
  let subscribedKey: string | undefined;
  let connection = 0;
  let isInFlight = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let dueAt = Number.POSITIVE_INFINITY;

  const schedule = (ms: number) => {
    if (performance.now() + ms >= dueAt) return;
    clearTimeout(timer);
    dueAt = performance.now() + ms;
    timer = setTimeout(() => void subscribe(), ms);
  };
  const subscribe = async () => {
    dueAt = Number.POSITIVE_INFINITY;
    const users = [...visibleUsers.keys()].slice(-MAX_USERS);
    const key = [...users].sort().join();
    if (isInFlight || !isConnected() || key === (subscribedKey ?? '')) return;
    isInFlight = true;
    const requestedOn = connection;
    const response = await send(users).catch(() => null);
    isInFlight = false;
    if (requestedOn !== connection) return schedule(0);
    if (!response?.ok) return schedule(RETRY_DELAY_MS);
    subscribedKey = key;
    applyResponse(users, response.data.online);
    schedule(DEBOUNCE_MS);
  };
  const dropHidden = () => {
    for (const [user, times] of visibleUsers) if (times === 0) visibleUsers.delete(user);
    schedule(DEBOUNCE_MS);
  };
  let dropTimer: ReturnType<typeof setTimeout> | undefined;
  const hide = (users: readonly string[]) => {
    for (const user of users) visibleUsers.set(user, (visibleUsers.get(user) ?? 1) - 1);
    clearTimeout(dropTimer);
    dropTimer = setTimeout(dropHidden, UNSUBSCRIBE_DELAY_MS);
  };
  return {
    show(users) {
      for (const user of users) {
        const times = visibleUsers.get(user) ?? 0;
        visibleUsers.delete(user);
        visibleUsers.set(user, times + 1);
      }
      schedule(DEBOUNCE_MS);
      return () => hide(users);
    },
    begin() {
      connection += 1;
      subscribedKey = undefined;
      schedule(0);
    },
    stop() {
      connection += 1;
      subscribedKey = undefined;
      clearTimeout(timer);
      dueAt = Number.POSITIVE_INFINITY;
    },
  };
}
