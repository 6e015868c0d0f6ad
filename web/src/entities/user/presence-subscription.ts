import type { ChatClientEvents, MAX_PRESENCE_SUBSCRIPTIONS } from '@atrium/proto-events/realtime';

type Answer = Parameters<Parameters<ChatClientEvents['presence:subscribe']>[1]>[0];

type Given = {
  isConnected: () => boolean;
  /** Sends `presence:subscribe`; rejects without a response. */
  send: (users: string[]) => Promise<Answer>;
  /** Receives which of `users` are online. */
  take: (users: readonly string[], online: readonly string[]) => void;
};

export type PeopleWatch = {
  /** Marks users as visible until the returned function is called. */
  show: (users: readonly string[]) => () => void;
  /** Call on a new connection, or after events may have been missed. */
  begin: () => void;
  stop: () => void;
};

const MOST: typeof MAX_PRESENCE_SUBSCRIPTIONS = 500;
/** Navigation hides and shows many users at once. */
const SETTLE_MS = 50;
/** Users may become visible again with the next navigation, and keeping them subscribed is cheap. */
const FORGET_AFTER_MS = 10_000;
const AGAIN_MS = 5_000;

/** Subscribes to visible users, one request at a time; above the limit, the most recently shown ones. */
export function watchPeople({ isConnected, send, take }: Given): PeopleWatch {
  /** How often each user is on the screen, zero if just hidden; most recently shown last. */
  const shown = new Map<string, number>();
  let said: string | undefined;
  let connection = 0;
  let isAsking = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let dueAt = Number.POSITIVE_INFINITY;

  const later = (ms: number) => {
    if (performance.now() + ms >= dueAt) return;
    clearTimeout(timer);
    dueAt = performance.now() + ms;
    timer = setTimeout(() => void tell(), ms);
  };
  const tell = async () => {
    dueAt = Number.POSITIVE_INFINITY;
    const users = [...shown.keys()].slice(-MOST);
    const name = [...users].sort().join();
    if (isAsking || !isConnected() || name === (said ?? '')) return;
    isAsking = true;
    const asked = connection;
    const answer = await send(users).catch(() => null);
    isAsking = false;
    if (asked !== connection) return later(0);
    if (!answer?.ok) return later(AGAIN_MS);
    said = name;
    take(users, answer.data.online);
    later(SETTLE_MS);
  };
  const forget = () => {
    for (const [user, times] of shown) if (times === 0) shown.delete(user);
    later(SETTLE_MS);
  };
  let forgetting: ReturnType<typeof setTimeout> | undefined;
  const hide = (users: readonly string[]) => {
    for (const user of users) shown.set(user, (shown.get(user) ?? 1) - 1);
    clearTimeout(forgetting);
    forgetting = setTimeout(forget, FORGET_AFTER_MS);
  };
  return {
    show(users) {
      for (const user of users) {
        const times = shown.get(user) ?? 0;
        shown.delete(user);
        shown.set(user, times + 1);
      }
      later(SETTLE_MS);
      return () => hide(users);
    },
    begin() {
      connection += 1;
      said = undefined;
      later(0);
    },
    stop() {
      connection += 1;
      said = undefined;
      clearTimeout(timer);
      dueAt = Number.POSITIVE_INFINITY;
    },
  };
}
