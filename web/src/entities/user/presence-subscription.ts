import type { ChatClientEvents, MAX_PRESENCE_SUBSCRIPTIONS } from '@atrium/proto-events/realtime';

type Answer = Parameters<Parameters<ChatClientEvents['presence:subscribe']>[1]>[0];

type Given = {
  isConnected: () => boolean;
  /** Sends `presence:subscribe`; rejects where no answer comes. */
  send: (users: string[]) => Promise<Answer>;
  /** Takes who of these is online. */
  take: (users: readonly string[], online: readonly string[]) => void;
};

export type PeopleWatch = {
  /** These people are on the screen, until the returned function says that they are not. */
  show: (users: readonly string[]) => () => void;
  /** A new connection, or one on which something may have been missed. */
  begin: () => void;
  stop: () => void;
};

const MOST: typeof MAX_PRESENCE_SUBSCRIPTIONS = 500;
/** Going from one screen to another takes people away and shows others. */
const SETTLE_MS = 50;
/** Whoever has gone from the screen may be back with the next step; meanwhile it costs little to hear of them. */
const FORGET_AFTER_MS = 10_000;
const AGAIN_MS = 5_000;

/** Names the people who are shown to the server, one question at a time. Of too many, those who were shown last. */
export function watchPeople({ isConnected, send, take }: Given): PeopleWatch {
  /** How often each is on the screen: zero for those who have just gone from it. The last shown come last. */
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
