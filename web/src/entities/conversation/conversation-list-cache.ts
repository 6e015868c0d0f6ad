import type {
  Conversation,
  getConversation,
  listConversations,
  PersonalConversation,
  SharedConversation,
} from '@atrium/proto-events/http/chat';
import type { Cache } from 'swr';
import { createCacheHelper, type ScopedMutator } from 'swr/_internal';
import { keyOf } from '#lib/query/keys.ts';
import { type Edit, QueryCache } from '#lib/query/query-cache.ts';
import { LATEST_CONVERSATIONS } from './conversation.ts';

export const PATH = '/chat/conversations';

export type List = { data: Conversation[]; total: number; page: number; totalPages: number };

export const pageInput = (page: number) => ({ query: { ...LATEST_CONVERSATIONS, ...(page > 1 && { page }) } });
export const pageKey = (page: number) => keyOf<typeof listConversations>(`GET ${PATH}`, pageInput(page));
const oneKey = (id: string) => keyOf<typeof getConversation>(`GET ${PATH}/:id`, { params: { id } });
const isList = (key: string) => key.startsWith(`${PATH}?`);

export type ListChanges = {
  update: (id: string, edit: (conversation: Conversation) => Conversation) => void;
  /** Stores a conversation from the server, unless the cache has a newer version. */
  put: (given: Conversation) => void;
  /** Merges a broadcast, keeping the reader's own fields. The full participant list is refetched. */
  merge: (shared: SharedConversation, personal?: PersonalConversation) => void;
  remove: (id: string) => void;
  /** Whether no list has the message before this one, so that the unread count cannot be derived. */
  isAfterGap: (id: string, seq: number) => boolean;
};

/**
 * A conversation from the server, merged with later messages that are already known. Its version covers only its name and participants, so
 * messages and read positions that arrived since the fetch are kept. Returns `known` if that is newer.
 */
function withKnown(given: Conversation, known: Conversation | undefined): Conversation {
  if (!known) return given;
  if (known.version > given.version) return known;
  const isAhead = known.lastSeq > given.lastSeq || known.lastReadSeq > given.lastReadSeq;
  const { lastMessage, lastSeq, lastReadSeq, unreadCount } = isAhead ? known : given;
  const updatedAt = known.updatedAt > given.updatedAt ? known.updatedAt : given.updatedAt;
  return { ...given, lastMessage, lastSeq, lastReadSeq, unreadCount, updatedAt };
}

function withShared(
  shared: SharedConversation,
  personal: PersonalConversation | undefined,
  known: Conversation,
): Conversation {
  const own = personal ?? {
    abilities: known.abilities,
    lastReadSeq: known.lastReadSeq,
    unreadCount: known.unreadCount,
  };
  return withKnown({ ...shared, ...own }, known);
}

type Edits = (conversations: Conversation[]) => Conversation[];

const ofLists =
  (isTargetList: (key: string) => boolean, edit: Edits): Edit =>
  (key, answer) => {
    if (!isTargetList(key)) return answer;
    // The service has validated these entries against the contract.
    const list = answer as List;
    const data = edit(list.data);
    return data === list.data ? list : { ...list, data };
  };

type ListChangesParams = { cache: Cache; mutate: ScopedMutator };

/** Edits the cached conversation lists in place. */
export function listChanges({ cache, mutate }: ListChangesParams): ListChanges {
  /** An edit must be idempotent: an in-flight response may or may not include it. */
  const change = (edit: Edit) => {
    if (cache instanceof QueryCache) cache.edit(edit);
    for (const key of [...cache.keys()]) {
      const held: unknown = cache.get(key)?.data;
      const edited = held === undefined ? held : edit(key, held);
      // `mutate` would make SWR discard the in-flight response; with frequent messages none would ever be shown.
      if (edited !== held) createCacheHelper(cache, key)[1]({ data: edited });
    }
  };
  return {
    update: (id, edit) =>
      change(
        ofLists(isList, (all) => {
          const known = all.find(({ _id }) => _id === id);
          const edited = known && edit(known);
          return edited === known ? all : all.map((one) => (one === known ? (edited ?? one) : one));
        }),
      ),
    put(given) {
      const prepend = ofLists(
        (key) => key === pageKey(1),
        (all) => {
          const known = all.find(({ _id }) => _id === given._id);
          return [withKnown(given, known), ...all.filter((one) => one !== known)];
        },
      );
      const ownKey = oneKey(given._id);
      change((key, answer) => (key === ownKey ? withKnown(given, answer as Conversation) : prepend(key, answer)));
    },
    merge(shared, personal) {
      const inLists = ofLists(isList, (all) => {
        const known = all.find(({ _id }) => _id === shared._id);
        if (!known) return all;
        return all.map((one) => (one === known ? withShared(shared, personal, known) : one));
      });
      const ownKey = oneKey(shared._id);
      change((key, answer) => {
        if (key !== ownKey) return inLists(key, answer);
        const held = answer as Conversation;
        // Keeps the version, so that the hint on `/live` still triggers a refetch with all participants.
        return { ...withShared(shared, personal, held), participants: held.participants, version: held.version };
      });
    },
    remove(id) {
      change(
        ofLists(isList, (all) => {
          const left = all.filter(({ _id }) => _id !== id);
          return left.length === all.length ? all : left;
        }),
      );
      // An open screen refetches it and learns that it is gone.
      if (cache.get(oneKey(id))) void mutate(oneKey(id), undefined);
    },
    isAfterGap(id, seq) {
      const lists = [...cache.keys()].filter(isList);
      const known = lists.flatMap((key) => (cache.get(key)?.data as List | undefined)?.data ?? []);
      const seqs = known.flatMap(({ _id, lastSeq }) => (_id === id ? [lastSeq] : []));
      // A list fetched a while ago is stale and is refetched when it is shown again.
      return seqs.length > 0 && seq > Math.max(...seqs) + 1;
    },
  };
}
