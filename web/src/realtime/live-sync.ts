import type { Change, ChatServerEvents, LiveServerEvents, ReplayedChange, Topic } from '@atrium/proto-events/realtime';
import { delayed, SETTLE_MS } from '../lib/delayed-tasks.ts';
import { isRecord } from '../lib/is-record.ts';
import type { QueryCache } from '../lib/query/query-cache.ts';
import { coalesce } from './coalesce.ts';
import { createDelayedRefetch } from './delayed-refetch.ts';
import type { RefetchOptions, RefetchPredicate, RefetchTarget } from './refetch.ts';
import type { ChatSocket, LiveSocket } from './socket.ts';
import { isDecidedByOwn, itemsOf, mayHaveMissed, staleness } from './stale-queries.ts';
import { emitNameChanges, isFollowingNames } from './topic-subscriptions/name-changes.ts';
import { TIMEOUT_MS, watchTopics } from './topic-subscriptions/sync-topics.ts';
import { pollUnsubscribed } from './topic-subscriptions/unsubscribed-polling.ts';
import { topicsOfAll } from './topics.ts';
import { type Countable, countUnread, MESSAGES_EVERY_MS } from './unread/count-unread.ts';

/** All browsers are told to ask again in one moment. */
const RESYNC_WITHIN_MS = 3_000;

export type Followed = {
  /** Asks again for everything on the screen that is meant. */
  refresh: (isMeant: RefetchPredicate, how?: Pick<RefetchOptions, 'news' | 'isInAnswer'>) => void;
  answers: Pick<QueryCache, 'wanted' | 'onShown' | 'requestAge' | 'invalidate' | 'isObserved' | 'hasFailed'>;
  /** What counts unread messages, beside the answer to the question for them. */
  unread: Countable;
};

/** What a browser has besides: its sockets, who is signed in and of which department, and when both sockets are up again. */
export type LiveSyncDeps = {
  live: LiveSocket;
  chat: ChatSocket;
  me: () => string | null;
  department: () => string | null;
  loadProfile: () => Promise<void>;
  connects: { subscribe: (listener: () => void) => () => void; tell: () => void };
};

/** What has to be asked for again of the answer of a key: everything, those items, or nothing. */
function meantBy(changes: readonly Change[], key: string, held: unknown): RefetchTarget {
  const items = new Set<string>();
  for (const change of changes) {
    const stale = staleness(key, change, held);
    if (stale === 'all') return true;
    if (stale === 'item') items.add(change.id);
  }
  return items.size > 0 && items;
}

const UNREAD = '/chat/unread';
const CONVERSATIONS = '/chat/conversations';

type ReadState = Parameters<ChatServerEvents['message:read']>[0];

/** Whether the answer of a key, where it has come, shows a conversation as read less far than it is. */
function isUnreadIn(key: string, held: unknown, { conversation, seq }: ReadState): boolean {
  const isList = key.startsWith(`${CONVERSATIONS}?`);
  if (!isList && key !== `${CONVERSATIONS}/${conversation}`) return false;
  if (held === undefined) return true;
  const known = isList ? itemsOf(held).find(({ _id }) => _id === conversation) : held;
  return isRecord(known) && typeof known.lastReadSeq === 'number' && known.lastReadSeq < seq;
}

/** How long ago the oldest of what is wanted was asked for, in milliseconds. */
const oldestOf = (answers: Followed['answers']) =>
  Math.max(
    0,
    ...answers
      .wanted()
      .map((key) => answers.requestAge(key))
      .filter(Number.isFinite),
  );

/**
 * Has what stands in no position caught up with whenever both sockets are up again, or may not have heard all: what was said, edited and
 * read meanwhile, which is of chat's own socket, and what could not be had without a server.
 */
function followConnects(
  { refresh, answers }: Pick<Followed, 'refresh' | 'answers'>,
  { live, connects }: Pick<LiveSyncDeps, 'live' | 'connects'>,
): () => void {
  // A page that has just been loaded has it.
  let leastAge = TIMEOUT_MS;
  const stop = connects.subscribe(() => {
    const meant = leastAge;
    leastAge = 0;
    refresh((key, age) => (key.startsWith('/chat/') && age >= meant) || answers.hasFailed(key));
  });
  let resyncing: ReturnType<typeof setTimeout> | undefined;
  const onResync = () => {
    resyncing ??= setTimeout(() => {
      resyncing = undefined;
      leastAge = 0;
      connects.tell();
    }, Math.random() * RESYNC_WITHIN_MS);
  };
  live.on('resync', onResync);
  return () => {
    stop();
    clearTimeout(resyncing);
    live.off('resync', onResync);
  };
}

/** Keeps every list on the screen as the server has it, until the returned function ends it. */
export function liveSync({ refresh, answers, unread }: Followed, surroundings: LiveSyncDeps): () => void {
  const { live, chat, me, department, loadProfile } = surroundings;
  const secondLook = createDelayedRefetch(refresh);
  const isOfMe = ({ resource, id }: Change) => resource === 'user' && id === me();
  // A profile says what the department is called, which all who are of it are told in one moment.
  const isOfMine = ({ resource, id }: Change) => resource === 'department' && id === department();
  let asking: ReturnType<typeof setTimeout> | undefined;
  const loadProfileAfter = (changes: readonly Change[]) => {
    if (changes.some(isOfMe)) void loadProfile();
    else if (changes.some(isOfMine))
      asking ??= setTimeout(() => {
        asking = undefined;
        void loadProfile();
      }, Math.random() * RESYNC_WITHIN_MS);
  };
  const revalidate = (changes: readonly Change[], news?: RefetchOptions['news']) => {
    if (changes.length === 0) return;
    const own = changes.filter(isOfMe);
    const isMeant: RefetchPredicate = (key, _age, held) =>
      own.some((change) => isDecidedByOwn(key, change)) || meantBy(changes, key, held);
    refresh(secondLook.after(changes, isMeant), { isInAnswer: true, ...(news && { news }) });
    emitNameChanges(changes);
    loadProfileAfter(changes);
  };
  const settled = delayed(SETTLE_MS);
  const receiveMessages = coalesce<Change>(MESSAGES_EVERY_MS, (changes) => revalidate(changes));
  // Answers to questions of after a change have it already.
  const catchUp = (changes: readonly ReplayedChange[], news?: RefetchOptions['news']) => {
    const isMeant: RefetchPredicate = (key, age, held) =>
      changes.some(
        (change) =>
          age > change.ageMs && (mayHaveMissed(key, change, held) || (isOfMe(change) && isDecidedByOwn(key, change))),
      );
    refresh(isMeant, { isInAnswer: true, ...(news && { news }) });
    // What was said between the first answer and the first connection came by no socket.
    counting.hint(changes.filter(({ ageMs }) => answers.requestAge(UNREAD) > ageMs));
    emitNameChanges(changes);
    loadProfileAfter(changes);
  };
  const all = (news?: RefetchOptions['news']) => {
    // Other keys hold links that are shown, such as that of a video, which would start again.
    refresh((key) => key.startsWith('/'), news && { news });
    emitNameChanges(null);
    void loadProfile();
  };
  const untold = pollUnsubscribed({ answers, refresh });
  const watch = watchTopics({
    topics(): Topic[] {
      const besides: Topic[] = isFollowingNames() || department() !== null ? ['names'] : [];
      const { topics, untold: more } = topicsOfAll(answers.wanted(), me(), besides);
      untold.note(more);
      return topics;
    },
    isConnected: () => live.connected,
    // The server counts from when this has come.
    shownForMs: () => TIMEOUT_MS + oldestOf(answers),
    send: (payload) => live.timeout(TIMEOUT_MS).emitWithAck('subscribe', payload),
    catchUp(changes, { minRefetchIntervalMs }) {
      // One that has just started knows of no crowd yet.
      const news = minRefetchIntervalMs === undefined ? undefined : { minRefetchIntervalMs };
      if (changes === null) all(news);
      else catchUp(changes, news);
    },
  });
  const onChanged: LiveServerEvents['changed'] = ({ changes, position, ...news }) => {
    const ofMessages = changes.filter(({ resource }) => resource === 'message');
    // A hint can be ahead of the message that it is about, and of those that came before one that they belong behind.
    if (ofMessages.length > 0) settled.after(() => receiveMessages(ofMessages));
    counting.hint(changes);
    revalidate(
      changes.filter(({ resource }) => resource !== 'message'),
      news,
    );
    watch.setPosition(position);
  };
  const onPosition = ({ position }: { position: string }) => watch.setPosition(position);
  const counting = countUnread({ chat, unread, me, ask: () => refresh((key) => key === UNREAD) });
  // What is read on one device is read on all, whichever screen they show. The one that read it knows, where no answer of before undoes that.
  const askForCounts = coalesce<ReadState>(MESSAGES_EVERY_MS, (reads) =>
    refresh((key, _age, held) => reads.some((read) => isUnreadIn(key, held, read)), { isInAnswer: true }),
  );
  const onRead = (read: ReadState) => {
    if (read.user === me()) askForCounts([read]);
  };
  const stopCatchingUp = followConnects({ refresh, answers }, surroundings);
  live.on('connect', watch.resubscribe);
  live.on('changed', onChanged);
  live.on('position', onPosition);
  chat.on('message:read', onRead);
  const stopLooking = answers.onShown(watch.syncNow);
  return () => {
    for (const { stop } of [counting, watch, untold, secondLook, settled]) stop();
    clearTimeout(asking);
    stopCatchingUp();
    stopLooking();
    live.off('connect', watch.resubscribe);
    live.off('changed', onChanged);
    live.off('position', onPosition);
    chat.off('message:read', onRead);
  };
}
