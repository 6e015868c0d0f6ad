import type { ChatServerEvents, ReadState, ThreadState } from '@atrium/proto-events/realtime';
import { useMemo, useSyncExternalStore } from 'react';
import { createUserScopedStore } from '#lib/session/user-scoped-store.ts';
import {
  isMessageKnown,
  type ListedConversation,
  lastReadSeqIn,
  NOTHING_UNREAD,
  type ReadStates,
  revisionIn,
  revisionOf,
  totalUnread,
  type UnreadRequest,
  type UnreadResponse,
  unreadIn,
  unreadMentionsIn,
  withListed,
  withMuted,
  withoutConversation,
  withReceived,
  withResponse,
  withSeen,
  withState,
} from './read-states.ts';
import {
  isReplyKnown,
  type Root,
  type ThreadReads,
  type ThreadStates,
  threadReads,
  withoutThreads,
  withReply,
  withRoot,
  withSeenReply,
  withThreadState,
} from './thread-states.ts';
import { isMentionKnown, type KnownMentions, mentionsUser, withMention } from './unread-mentions.ts';

type Edit = (states: ReadStates) => ReadStates;
type Store = Pick<ReturnType<typeof createUserScopedStore<ReadStates>>, 'owner' | 'get' | 'change'>;

const MAX_READS = 3;

export type Unread = ReturnType<typeof createUnread>;

function createThreadChanges({ owner, get, change }: Store) {
  /** Counts changes of the total. */
  let changes = 0;
  return {
    applyToThreads(edit: (threads: ThreadStates) => ThreadStates): void {
      const before = get().threads;
      change(owner(), (states) => {
        const threads = edit(states.threads);
        return threads === states.threads ? states : { ...states, threads };
      });
      if (get().threads.total !== before.total) changes += 1;
    },
    /** Repeats the request if threads change in the meantime, because the response may or may not include it. */
    async readSettled(read: () => Promise<UnreadResponse>): Promise<UnreadResponse> {
      for (let attempt = 1; ; attempt += 1) {
        const changesBefore = changes;
        const response = await read();
        if (changesBefore === changes || attempt === MAX_READS) return response;
      }
    },
  };
}

/** Listeners to messages that are marked as unread, whose mentions are not known. */
function createMarkedListeners() {
  const listeners = new Set<() => void>();
  return {
    add(listener: () => void): () => void {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    notifyAbout(ids: readonly string[], before: ReadStates, after: ReadStates): void {
      const isMarked = (id: string) =>
        (after.conversations.get(id)?.revision ?? 0) > (before.conversations.get(id)?.revision ?? Infinity);
      if (ids.some(isMarked)) for (const notify of listeners) notify();
    },
  };
}

/** Keeps the unread counts of the signed-in user, from the server's states and the seqs of messages. */
export function createUnread({ owner, get, change }: Store) {
  const requests = new Set<UnreadRequest>();
  let latestRequest = 0;
  let latestResponse = 0;
  const apply = (edit: Edit) => {
    change(owner(), edit);
    for (const request of requests) request.sinceRequest = edit(request.sinceRequest);
  };
  const applyToMentions = (edit: (mentions: KnownMentions) => KnownMentions) =>
    apply((states) => {
      const mentions = edit(states.mentions);
      return mentions === states.mentions ? states : { ...states, mentions };
    });
  const marked = createMarkedListeners();
  const applyStates = (conversations: readonly string[], edit: Edit) => {
    const before = get();
    apply(edit);
    marked.notifyAbout(conversations, before, get());
  };
  const recordState = (state: ReadState) => applyStates([state.conversation], (states) => withState(states, state));
  const { applyToThreads, readSettled } = createThreadChanges({ owner, get, change });
  const forget = (conversation: string) => {
    apply((states) => withoutConversation(states, conversation));
    applyToThreads((threads) => withoutThreads(threads, conversation));
  };
  return {
    total: (): number => totalUnread(get()),
    totalInThreads: (): number => get().threads.total,
    readsOf: (root: string): ThreadReads => threadReads(get().threads, root),
    isThreadKnown: (root: string): boolean => get().threads.byRoot.has(root),
    isReplyKnown: (root: string, seq: number): boolean => isReplyKnown(get().threads, root, seq),
    /** Records the threads of messages in a response. */
    recordRoots: (messages: readonly Root[]): void => applyToThreads((states) => messages.reduce(withRoot, states)),
    recordThreadState: (state: ThreadState): void => applyToThreads((states) => withThreadState(states, state)),
    recordReply: (root: string, seq: number): void => applyToThreads((states) => withReply(states, root, seq)),
    recordSeenReply: (root: string, seq: number): void => applyToThreads((states) => withSeenReply(states, root, seq)),
    countIn: (conversation: ListedConversation): number => unreadIn(get(), conversation),
    mentionsIn: (conversation: ListedConversation): number => unreadMentionsIn(get(), conversation),
    lastReadSeqIn: (conversation: ListedConversation): number => lastReadSeqIn(get(), conversation),
    isMessageKnown: (conversation: string, seq: number): boolean => isMessageKnown(get(), conversation, seq),
    revisionIn: (conversation: ListedConversation): number => revisionIn(get(), conversation),
    revisionOf: (conversation: string): number | undefined => revisionOf(get(), conversation),
    recordListed: (conversations: readonly ListedConversation[]): void =>
      applyStates(
        conversations.map(({ _id }) => _id),
        (states) => withListed(states, conversations),
      ),
    /** Records a state that the server sent for this user. */
    recordState,
    /** Calls the listener after messages were marked as unread, on any device, until the returned function is called. */
    onMarkedUnread: marked.add,
    recordSeen: (conversation: string, seq: number): void => apply((states) => withSeen(states, { conversation, seq })),
    async request(read: () => Promise<UnreadResponse>): Promise<UnreadResponse> {
      const requestedBy = owner();
      latestRequest += 1;
      const number = latestRequest;
      const request: UnreadRequest = { atRequest: get(), sinceRequest: NOTHING_UNREAD };
      requests.add(request);
      try {
        const response = await readSettled(read);
        if (number > latestResponse) change(requestedBy, (states) => withResponse(states, response, request));
        latestResponse = Math.max(latestResponse, number);
        return response;
      } finally {
        requests.delete(request);
      }
    },
    /** Handlers of `/chat` events. */
    eventsOf: (me: () => string | null) =>
      ({
        'message:new'({ message, unreadCount = 0, readRevision = 0 }) {
          const { conversation, seq, sender } = message;
          if (mentionsUser(message, me(), get().groupIds) && !isMentionKnown(get().mentions, message))
            applyToMentions((mentions) => withMention(mentions, message, true));
          apply((states) =>
            sender._id === me()
              ? withState(states, { conversation, lastSeq: seq, unreadCount, readRevision })
              : withReceived(states, { conversation, seq }),
          );
        },
        'message:updated'({ message, thread }) {
          if (thread !== undefined) return;
          const isMention = mentionsUser(message, me(), get().groupIds);
          applyToMentions((mentions) => withMention(mentions, message, isMention));
        },
        'message:deleted'({ thread, ...message }) {
          if (thread === undefined) applyToMentions((mentions) => withMention(mentions, message, false));
        },
        'conversation:state': recordState,
        'conversation:preferences': ({ conversation, preferences }) =>
          apply((states) => withMuted(states, conversation, preferences.notify === 'none')),
        'conversation:deleted': ({ conversation }) => forget(conversation),
        'conversation:participant_removed': ({ conversation, removedUserId }) => {
          if (removedUserId === me()) forget(conversation);
        },
      }) satisfies Partial<ChatServerEvents>,
  };
}

const store = createUserScopedStore(() => NOTHING_UNREAD);

export const unread = createUnread(store);

export const useUnreadReplies = (): number => useSyncExternalStore(store.subscribe, unread.totalInThreads);

/** The number of unread replies; 0 unless the thread is followed. */
export const useUnreadInThread = (root: string): number =>
  useSyncExternalStore(store.subscribe, () => unread.readsOf(root).unreadCount);

export const useLastReadReply = (root: string): number =>
  useSyncExternalStore(store.subscribe, () => unread.readsOf(root).lastReadSeq);

export const useIsFollowed = (root: string): boolean =>
  useSyncExternalStore(store.subscribe, () => unread.readsOf(root).isFollowed);

/** Whether the signed-in user is in a department or project. */
export const useIsInGroup = (id: string): boolean =>
  useSyncExternalStore(store.subscribe, () => store.get().groupIds.includes(id));

export const useUnreadCount = (): number => useSyncExternalStore(store.subscribe, unread.total);

export const useUnreadIn = (conversation: ListedConversation | undefined): number =>
  useSyncExternalStore(store.subscribe, () => (conversation ? unread.countIn(conversation) : 0));

export const useUnreadMentionsIn = (conversation: ListedConversation): number =>
  useSyncExternalStore(store.subscribe, () => unread.mentionsIn(conversation));

/** The ids of the conversations with unread messages. */
export function useUnreadIds(conversations: readonly ListedConversation[]): ReadonlySet<string> {
  const isUnread = (conversation: ListedConversation) => unread.countIn(conversation) > 0;
  const ids = useSyncExternalStore(store.subscribe, () =>
    conversations
      .filter(isUnread)
      .map(({ _id }) => _id)
      .join(' '),
  );
  return useMemo(() => new Set(ids.split(' ')), [ids]);
}

export const useLastReadSeq = (conversation: ListedConversation): number =>
  useSyncExternalStore(store.subscribe, () => unread.lastReadSeqIn(conversation));

export const useReadRevision = (conversation: ListedConversation): number =>
  useSyncExternalStore(store.subscribe, () => unread.revisionIn(conversation));

export const useThreadRevision = (root: string): number | null | undefined =>
  useSyncExternalStore(store.subscribe, () => unread.readsOf(root).revision);
