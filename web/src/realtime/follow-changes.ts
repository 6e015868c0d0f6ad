import type { User } from '@atrium/proto-events/people';
import type { Change, Changes, ChatServerEvents, LiveServerEvents } from '@atrium/proto-events/realtime';
import { createDelayedTasks } from '#lib/delayed-tasks.ts';
import type { QueryCache } from '#lib/query/query-cache.ts';
import type { StaleRefetch } from '#lib/query/refetch-stale.ts';
import { SOCKET_TIMEOUT_MS } from './connection/reconnect-delay.ts';
import type { ChatSocket, LiveSocket } from './connection/socket.ts';
import { applyChanges, selectTags } from './live-changes.ts';
import { messageRangeOf } from './message-range.ts';
import { createSubscription } from './subscription.ts';
import type { Unread } from './unread.ts';

/** All browsers receive a resync at the same time, so their requests are spread over this time. */
const RESYNC_SPREAD_MS = 3_000;
/** Within this time, a message arrives that was announced before it. */
const MESSAGE_WAIT_MS = 2_000;
/** Within this time, every service knows that a user has changed. */
const PROPAGATION_MS = 2_000;

const showsLastMessages = (key: string) => key === '/chat/unread' || key.startsWith('/chat/conversations');
/** What a user can read there depends on their department. */
const DEPARTMENT_PATHS = ['/documents', '/meetings/rooms', '/chat/unread'];

export type ClientState = { cache: QueryCache; staleRefetch: Pick<StaleRefetch, 'spreadOver'>; unread: Unread };

type FollowDeps = {
  live: LiveSocket;
  chat: ChatSocket;
  /** The signed-in user; null before the profile is loaded. */
  user: () => User | null;
  loadProfile: () => Promise<void>;
  connects: { subscribe: (listener: () => void) => () => void; notify: () => void };
};

/** Applies the server's changes to the cache and the unread counts, until the returned function is called. */
export function followChanges({ cache, staleRefetch, unread }: ClientState, deps: FollowDeps): () => void {
  const { live, chat, user, loadProfile } = deps;
  const messageTasks = createDelayedTasks(MESSAGE_WAIT_MS);
  const accountTasks = createDelayedTasks(PROPAGATION_MS);
  const markStale = (isAffected: (key: string) => boolean) => {
    for (const key of [...cache.keys()]) if (isAffected(key)) cache.markStale(key);
  };
  /** The requests that result from the user's own writes are not spread. */
  const spreadOver = (ms: number, change: () => void) => {
    staleRefetch.spreadOver(ms);
    change();
    staleRefetch.spreadOver(0);
  };
  const refetchAll = () => {
    // Keys in a different format hold links in use, such as that of a playing video, which would restart.
    spreadOver(RESYNC_SPREAD_MS, () => markStale((key) => key.startsWith('/')));
    void loadProfile();
  };
  /** A message whose event was lost is announced nevertheless. */
  const checkAnnounced = ({ changes }: Changes) => {
    const ranges = changes.flatMap((change) => (change.action === 'created' ? (messageRangeOf(change) ?? []) : []));
    const isMissing = () => ranges.some(({ conversation, lastSeq }) => !unread.isMessageKnown(conversation, lastSeq));
    const refetch = () => spreadOver(RESYNC_SPREAD_MS, () => markStale(showsLastMessages));
    if (isMissing()) messageTasks.after(() => isMissing() && refetch());
  };
  let profileTimer: ReturnType<typeof setTimeout> | undefined;
  const followOwnAccount = ({ changes }: Changes, { _id, department }: User, spreadMs: number) => {
    const ownChange = changes.find(({ resource, id }) => resource === 'user' && id === _id);
    if (ownChange) {
      void loadProfile();
      const paths = getPathsOfAccount(ownChange);
      accountTasks.after(() => markStale((key) => paths.some((path) => key.startsWith(path))));
    } else if (changes.some(({ id }) => id === department?._id)) {
      // All members of the department receive the change at the same time.
      profileTimer ??= setTimeout(() => {
        profileTimer = undefined;
        void loadProfile();
      }, Math.random() * spreadMs);
    }
  };
  const apply = (received: Changes, spreadMs = 0) => {
    const viewer = user();
    if (!viewer || received.changes.length === 0) return;
    spreadOver(spreadMs, () => applyChanges(cache, received, viewer));
    checkAnnounced(received);
    followOwnAccount(received, viewer, spreadMs);
  };
  const subscription = createSubscription({
    selectTags() {
      const viewer = user();
      if (!viewer) return [];
      const { tags, unsubscribed } = selectTags(cache.activeKeys(), viewer);
      for (const key of unsubscribed) cache.invalidate(key);
      return tags;
    },
    isConnected: () => live.connected,
    // The server counts from when it receives this.
    maxDataAgeMs: () => SOCKET_TIMEOUT_MS + maxRequestAge(cache),
    send: (payload) => live.timeout(SOCKET_TIMEOUT_MS).emitWithAck('subscribe', payload),
    applyMissed(missed) {
      if (missed) apply(missed);
      else refetchAll();
    },
  });
  const onChanged: LiveServerEvents['changed'] = ({ position, spreadMs, ...received }) => {
    apply(received, spreadMs);
    subscription.setPosition(position);
  };
  const onPosition = ({ position }: { position: string }) => subscription.setPosition(position);
  const stopReconnects = refetchOnConnect({ cache, markStale, ...deps });
  const stopUnread = listen(
    chat,
    unread.eventsOf(() => user()?._id ?? null),
  );
  live.on('connect', subscription.resubscribe);
  live.on('changed', onChanged);
  live.on('position', onPosition);
  const stopFollowingKeys = cache.onActiveKeysChange(subscription.syncNow);
  return () => {
    for (const { stop } of [subscription, messageTasks, accountTasks]) stop();
    clearTimeout(profileTimer);
    stopReconnects();
    stopUnread();
    stopFollowingKeys();
    live.off('connect', subscription.resubscribe);
    live.off('changed', onChanged);
    live.off('position', onPosition);
  };
}

/** Returns the paths whose responses depend on what has changed of the user's account. */
function getPathsOfAccount({ changed }: Change): readonly string[] {
  const isPossiblyChanged = (field: string) => changed?.includes(field) !== false;
  // Everything shows what the user is allowed to do.
  if (isPossiblyChanged('role')) return ['/'];
  return isPossiblyChanged('department') ? DEPARTMENT_PATHS : [];
}

const maxRequestAge = (cache: QueryCache) =>
  Math.max(
    0,
    ...cache
      .activeKeys()
      .map((key) => cache.requestAge(key))
      .filter(Number.isFinite),
  );

type ConnectDeps = Pick<FollowDeps, 'live' | 'connects'> & {
  cache: QueryCache;
  markStale: (isAffected: (key: string) => boolean) => void;
};

/** Refetches what the live position does not cover: chat messages, edits, reads, and failed queries. */
function refetchOnConnect({ cache, markStale, live, connects }: ConnectDeps): () => void {
  // A page that has just loaded is up to date.
  let minAge = SOCKET_TIMEOUT_MS;
  const stop = connects.subscribe(() => {
    const threshold = minAge;
    minAge = 0;
    markStale((key) => (key.startsWith('/chat/') && cache.requestAge(key) >= threshold) || cache.hasFailed(key));
  });
  let resyncTimer: ReturnType<typeof setTimeout> | undefined;
  const onResync = () => {
    resyncTimer ??= setTimeout(() => {
      resyncTimer = undefined;
      minAge = 0;
      connects.notify();
    }, Math.random() * RESYNC_SPREAD_MS);
  };
  live.on('resync', onResync);
  return () => {
    stop();
    clearTimeout(resyncTimer);
    live.off('resync', onResync);
  };
}

function listen(chat: ChatSocket, events: Partial<ChatServerEvents>): () => void {
  const listeners = Object.entries(events) as [keyof ChatServerEvents, () => void][];
  for (const [name, listener] of listeners) chat.on(name, listener);
  return () => {
    for (const [name, listener] of listeners) chat.off(name, listener);
  };
}
