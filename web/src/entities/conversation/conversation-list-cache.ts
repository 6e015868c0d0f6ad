import type {
  Conversation,
  getConversation,
  listConversations,
  PersonalConversation,
  SharedConversation,
} from '@atrium/proto-events/http/chat';
import type { Cache } from 'swr';
import { createCacheHelper, type ScopedMutator } from 'swr/_internal';
import { type Edit, QueryCache } from '#lib/query/query-cache.ts';
import { keyOf } from '#lib/query/use-read.ts';
import { LATEST_CONVERSATIONS } from './conversation.ts';

export const PATH = '/chat/conversations';

export type List = { data: Conversation[]; total: number; page: number; totalPages: number };

export const pageInput = (page: number) => ({ query: { ...LATEST_CONVERSATIONS, ...(page > 1 && { page }) } });
export const pageKey = (page: number) => keyOf<typeof listConversations>(`GET ${PATH}`, pageInput(page));
const conversationKey = (id: string) => keyOf<typeof getConversation>(`GET ${PATH}/:id`, { params: { id } });
const isList = (key: string) => key.startsWith(`${PATH}?`);

export type ListChanges = {
  update: (id: string, edit: (conversation: Conversation) => Conversation) => void;
  put: (conversation: Conversation) => void;
  /** Merges a broadcast, keeping the reader's own fields. The full participant list is refetched. */
  merge: (shared: SharedConversation, personal?: PersonalConversation) => void;
  remove: (id: string) => void;
  /** Whether no list has the message before this one, so that the unread count cannot be derived. */
  isAfterGap: (id: string, seq: number) => boolean;
};

/**
 * Merges a fetched conversation into the cached one. A version covers only name and participants, so messages and read
 * positions that arrived since the fetch are kept. Returns `existing` if its version is newer.
 */
function mergeFetched(fetched: Conversation, existing: Conversation | undefined): Conversation {
  if (!existing) return fetched;
  if (existing.version > fetched.version) return existing;
  const isAhead = existing.lastSeq > fetched.lastSeq || existing.lastReadSeq > fetched.lastReadSeq;
  const { lastMessage, lastSeq, lastReadSeq, unreadCount } = isAhead ? existing : fetched;
  const updatedAt = existing.updatedAt > fetched.updatedAt ? existing.updatedAt : fetched.updatedAt;
  return { ...fetched, lastMessage, lastSeq, lastReadSeq, unreadCount, updatedAt };
}

function mergeShared(
  shared: SharedConversation,
  personal: PersonalConversation | undefined,
  existing: Conversation,
): Conversation {
  const personalFields = personal ?? {
    abilities: existing.abilities,
    lastReadSeq: existing.lastReadSeq,
    unreadCount: existing.unreadCount,
  };
  return mergeFetched({ ...shared, ...personalFields }, existing);
}

type Edits = (conversations: Conversation[]) => Conversation[];

const createListEdit =
  (isTargetList: (key: string) => boolean, edit: Edits): Edit =>
  (key, response) => {
    if (!isTargetList(key)) return response;
    const list = response as List;
    const data = edit(list.data);
    return data === list.data ? list : { ...list, data };
  };

type ListChangesParams = { cache: Cache; mutate: ScopedMutator };

export function listChanges({ cache, mutate }: ListChangesParams): ListChanges {
  /** An edit must be idempotent: an in-flight response may or may not include it. */
  const change = (edit: Edit) => {
    if (cache instanceof QueryCache) cache.edit(edit);
    for (const key of [...cache.keys()]) {
      const cached: unknown = cache.get(key)?.data;
      const edited = cached === undefined ? cached : edit(key, cached);
      // `mutate` would make SWR discard the in-flight response; with frequent messages none would ever be shown.
      if (edited !== cached) createCacheHelper(cache, key)[1]({ data: edited });
    }
  };
  return {
    update: (id, edit) =>
      change(
        createListEdit(isList, (conversations) => {
          const existing = conversations.find(({ _id }) => _id === id);
          const edited = existing && edit(existing);
          return edited === existing
            ? conversations
            : conversations.map((item) => (item === existing ? (edited ?? item) : item));
        }),
      ),
    put(conversation) {
      const prepend = createListEdit(
        (key) => key === pageKey(1),
        (conversations) => {
          const existing = conversations.find(({ _id }) => _id === conversation._id);
          return [mergeFetched(conversation, existing), ...conversations.filter((item) => item !== existing)];
        },
      );
      const ownKey = conversationKey(conversation._id);
      change((key, response) =>
        key === ownKey ? mergeFetched(conversation, response as Conversation) : prepend(key, response),
      );
    },
    merge(shared, personal) {
      const editLists = createListEdit(isList, (conversations) => {
        const existing = conversations.find(({ _id }) => _id === shared._id);
        if (!existing) return conversations;
        return conversations.map((item) => (item === existing ? mergeShared(shared, personal, existing) : item));
      });
      const ownKey = conversationKey(shared._id);
      change((key, response) => {
        if (key !== ownKey) return editLists(key, response);
        const cached = response as Conversation;
        // Keeps the version, so that the hint on `/live` still triggers a refetch with all participants.
        return { ...mergeShared(shared, personal, cached), participants: cached.participants, version: cached.version };
      });
    },
    remove(id) {
      change(
        createListEdit(isList, (conversations) => {
          const remaining = conversations.filter(({ _id }) => _id !== id);
          return remaining.length === conversations.length ? conversations : remaining;
        }),
      );
      if (cache.get(conversationKey(id))) void mutate(conversationKey(id), undefined);
    },
    isAfterGap(id, seq) {
      const lists = [...cache.keys()].filter(isList);
      const cachedConversations = lists.flatMap((key) => (cache.get(key)?.data as List | undefined)?.data ?? []);
      const seqs = cachedConversations.flatMap(({ _id, lastSeq }) => (_id === id ? [lastSeq] : []));
      // A list fetched a while ago is stale and is refetched when it is shown again.
      return seqs.length > 0 && seq > Math.max(...seqs) + 1;
    },
  };
}
