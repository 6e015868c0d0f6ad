import type { Change, ChatServerEvents, LiveServerEvents, ReplayedChange, Topic } from '@atrium/proto-events/realtime';
import { coalesce, createDelayedTasks, REORDER_WAIT_MS } from '#lib/delayed-tasks.ts';
import { isRecord } from '#lib/is-record.ts';
import type { QueryCache } from '#lib/query/query-cache.ts';
import { SOCKET_TIMEOUT_MS } from './connection/reconnect-delay.ts';
import type { ChatSocket, LiveSocket } from './connection/socket.ts';
import { countUnread, MESSAGE_INTERVAL_MS, type UnreadTracker } from './count-unread.ts';
import { createDelayedRefetch } from './delayed-refetch.ts';
import { emitNameChanges, hasNameListeners } from './name-changes.ts';
import type { GetRefetchTarget, RefetchOptions, RefetchTarget } from './refetch.ts';
import { dependsOnOwnAccount, isMissedChange, itemsOf, staleness } from './stale-queries.ts';
import { createTopicSync } from './sync-topics.ts';
import { selectTopics } from './topics.ts';
import { pollUnsubscribed } from './unsubscribed-polling.ts';

/** All browsers receive a resync at the same time, so their requests are spread over this time. */
const RESYNC_SPREAD_MS = 3_000;

export type ClientState = {
  refetch: (getTarget: GetRefetchTarget, options?: Pick<RefetchOptions, 'pacing' | 'awaitInFlight'>) => void;
  cache: Pick<
    QueryCache,
    'activeKeys' | 'onActiveKeysChange' | 'requestAge' | 'invalidate' | 'isObserved' | 'hasFailed'
  >;
  unread: UnreadTracker;
};

type LiveSyncDeps = {
  live: LiveSocket;
  chat: ChatSocket;
  me: () => string | null;
  department: () => string | null;
  loadProfile: () => Promise<void>;
  connects: { subscribe: (listener: () => void) => () => void; notify: () => void };
};

function toRefetchTarget(changes: readonly Change[], key: string, data: unknown): RefetchTarget {
  const items = new Set<string>();
  for (const change of changes) {
    const stale = staleness(key, change, data);
    if (stale === 'all') return true;
    if (stale === 'item') items.add(change.id);
  }
  return items.size > 0 && items;
}

const UNREAD = '/chat/unread';
const CONVERSATIONS = '/chat/conversations';

type ReadState = Parameters<ChatServerEvents['message:read']>[0];

function isUnreadIn(key: string, data: unknown, { conversation, seq }: ReadState): boolean {
  const isList = key.startsWith(`${CONVERSATIONS}?`);
  if (!isList && key !== `${CONVERSATIONS}/${conversation}`) return false;
  if (data === undefined) return true;
  const conversationData = isList ? itemsOf(data).find(({ _id }) => _id === conversation) : data;
  return (
    isRecord(conversationData) && typeof conversationData.lastReadSeq === 'number' && conversationData.lastReadSeq < seq
  );
}

const maxRequestAge = (cache: ClientState['cache']) =>
  Math.max(
    0,
    ...cache
      .activeKeys()
      .map((key) => cache.requestAge(key))
      .filter(Number.isFinite),
  );

/** Refetches what the live position does not cover: chat messages, edits, reads, and failed queries. */
function refetchOnConnect(
  { refetch, cache }: Pick<ClientState, 'refetch' | 'cache'>,
  { live, connects }: Pick<LiveSyncDeps, 'live' | 'connects'>,
): () => void {
  // A page that has just loaded is up to date.
  let minAge = SOCKET_TIMEOUT_MS;
  const stop = connects.subscribe(() => {
    const threshold = minAge;
    minAge = 0;
    refetch((key, age) => (key.startsWith('/chat/') && age >= threshold) || cache.hasFailed(key));
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

export function followChanges({ refetch, cache, unread }: ClientState, deps: LiveSyncDeps): () => void {
  const { live, chat, me, department, loadProfile } = deps;
  const delayedRefetch = createDelayedRefetch(refetch);
  const unreadCounting = countUnread({ chat, unread, me, refetch: () => refetch((key) => key === UNREAD) });
  const isOwnUser = ({ resource, id }: Change) => resource === 'user' && id === me();
  // The profile includes the department name, and all of its members receive the change at the same time.
  const isOwnDepartment = ({ resource, id }: Change) => resource === 'department' && id === department();
  let profileTimer: ReturnType<typeof setTimeout> | undefined;
  const loadProfileIfChanged = (changes: readonly Change[]) => {
    if (changes.some(isOwnUser)) void loadProfile();
    else if (changes.some(isOwnDepartment))
      profileTimer ??= setTimeout(() => {
        profileTimer = undefined;
        void loadProfile();
      }, Math.random() * RESYNC_SPREAD_MS);
  };
  const refetchStale = (changes: readonly Change[], pacing?: RefetchOptions['pacing']) => {
    if (changes.length === 0) return;
    const ownChanges = changes.filter(isOwnUser);
    const getTarget: GetRefetchTarget = (key, _age, data) =>
      ownChanges.some((change) => dependsOnOwnAccount(key, change)) || toRefetchTarget(changes, key, data);
    refetch(delayedRefetch.withSecondRefetch(getTarget, changes), { awaitInFlight: true, ...(pacing && { pacing }) });
    emitNameChanges(changes);
    loadProfileIfChanged(changes);
  };
  const delayed = createDelayedTasks(REORDER_WAIT_MS);
  const refetchConversations = coalesce<Change>(MESSAGE_INTERVAL_MS, (changes) => refetchStale(changes));
  const applyReplayed = (changes: readonly ReplayedChange[], pacing?: RefetchOptions['pacing']) => {
    const getTarget: GetRefetchTarget = (key, age, data) =>
      changes.some(
        (change) =>
          age > change.ageMs &&
          (isMissedChange(key, change, data) || (isOwnUser(change) && dependsOnOwnAccount(key, change))),
      );
    refetch(getTarget, { awaitInFlight: true, ...(pacing && { pacing }) });
    // Messages between the first response and the first connection arrived on no socket.
    unreadCounting.checkAnnounced(changes.filter(({ ageMs }) => cache.requestAge(UNREAD) > ageMs));
    emitNameChanges(changes);
    loadProfileIfChanged(changes);
  };
  const refetchAll = (pacing?: RefetchOptions['pacing']) => {
    // Keys in a different format hold links in use, such as that of a playing video, which would restart.
    refetch((key) => key.startsWith('/'), pacing && { pacing });
    emitNameChanges(null);
    void loadProfile();
  };
  const unsubscribed = pollUnsubscribed({ cache, refetch });
  const topicSync = createTopicSync({
    selectTopics(): Topic[] {
      const extraTopics: Topic[] = hasNameListeners() || department() !== null ? ['names'] : [];
      const { topics, unsubscribed: unsubscribedKeys } = selectTopics(cache.activeKeys(), me(), extraTopics);
      unsubscribed.setKeys(unsubscribedKeys);
      return topics;
    },
    isConnected: () => live.connected,
    // The server counts from when it receives this.
    maxDataAgeMs: () => SOCKET_TIMEOUT_MS + maxRequestAge(cache),
    send: (payload) => live.timeout(SOCKET_TIMEOUT_MS).emitWithAck('subscribe', payload),
    applyReplayed(changes, { minRefetchIntervalMs }) {
      // A server that has just started does not know the load yet.
      const pacing = minRefetchIntervalMs === undefined ? undefined : { minRefetchIntervalMs };
      if (changes === null) refetchAll(pacing);
      else applyReplayed(changes, pacing);
    },
  });
  const onChanged: LiveServerEvents['changed'] = ({ changes, position, ...pacing }) => {
    const messageChanges = changes.filter(({ resource }) => resource === 'message');
    // A message may be announced before it and earlier messages of the conversation arrive.
    if (messageChanges.length > 0) delayed.after(() => refetchConversations(messageChanges));
    unreadCounting.checkAnnounced(changes);
    const otherChanges = changes.filter(({ resource }) => resource !== 'message');
    refetchStale(otherChanges, pacing);
    topicSync.setPosition(position);
  };
  const onPosition = ({ position }: { position: string }) => topicSync.setPosition(position);
  // A read applies to all devices; the one that sent it already shows it, unless an outdated response has reset it.
  const refetchReadStates = coalesce<ReadState>(MESSAGE_INTERVAL_MS, (reads) =>
    refetch((key, _age, data) => reads.some((read) => isUnreadIn(key, data, read)), { awaitInFlight: true }),
  );
  const onRead = (read: ReadState) => {
    if (read.user === me()) refetchReadStates([read]);
  };
  const stopRefetching = refetchOnConnect({ refetch, cache }, deps);
  live.on('connect', topicSync.resubscribe);
  live.on('changed', onChanged);
  live.on('position', onPosition);
  chat.on('message:read', onRead);
  const stopSyncing = cache.onActiveKeysChange(topicSync.syncNow);
  return () => {
    for (const { stop } of [unreadCounting, topicSync, unsubscribed, delayedRefetch, delayed]) stop();
    clearTimeout(profileTimer);
    stopRefetching();
    stopSyncing();
    live.off('connect', topicSync.resubscribe);
    live.off('changed', onChanged);
    live.off('position', onPosition);
    chat.off('message:read', onRead);
  };
}
