import type { Conversation, getConversation, listConversations } from '@atrium/proto-events/http/chat';
import type { Cache } from 'swr';
import type { ScopedMutator } from 'swr/_internal';
import { keyOf } from '../../lib/cache/keys.ts';
import type { IsMeant } from '../../realtime/ask-again.ts';
import { LATEST_CONVERSATIONS } from './conversation.ts';

export const PATH = '/chat/conversations';

export type List = { data: Conversation[]; total: number; page: number; totalPages: number };

export const pageInput = (page: number) => ({ query: { ...LATEST_CONVERSATIONS, ...(page > 1 && { page }) } });
export const pageKey = (page: number) => keyOf<typeof listConversations>(`GET ${PATH}`, pageInput(page));
const oneKey = (id: string) => keyOf<typeof getConversation>(`GET ${PATH}/:id`, { params: { id } });
const isList = (key: string) => key.startsWith(`${PATH}?`);

export type ListChanges = {
  update: (id: string, edit: (conversation: Conversation) => Conversation) => void;
  /** Takes a conversation as the server tells it; one that is known to be newer stays. */
  put: (given: Conversation) => void;
  remove: (id: string) => void;
  /** Whether a list has not heard of the messages before that one, so that nobody here can count what is unread. */
  isAfterGap: (id: string, seq: number) => boolean;
};

/**
 * A conversation as it was told, with what is known of its messages beyond that: its version counts its name and its people, and what was
 * said or read since it was looked up has been told already.
 */
function withKnown(given: Conversation, known: Conversation | undefined): Conversation {
  if (!known) return given;
  const isAhead = known.lastSeq > given.lastSeq || known.lastReadSeq > given.lastReadSeq;
  const { lastMessage, lastSeq, lastReadSeq, unreadCount } = isAhead ? known : given;
  const updatedAt = known.updatedAt > given.updatedAt ? known.updatedAt : given.updatedAt;
  return { ...given, lastMessage, lastSeq, lastReadSeq, unreadCount, updatedAt };
}

type Given = { cache: Cache; mutate: ScopedMutator; askAgain: (isMeant: IsMeant) => void };

/** Changes the lists of conversations that a cache holds, at once. */
export function listChanges({ cache, mutate, askAgain }: Given): ListChanges {
  const change = (isMeant: (key: string) => boolean, edit: (conversations: Conversation[]) => Conversation[]) => {
    // A list that is still on its way for the first time is left alone: a change makes SWR throw away the answer that comes.
    const isThere = (key: string) => isMeant(key) && cache.get(key)?.data !== undefined;
    void mutate<List>(
      (key) => typeof key === 'string' && isThere(key),
      (list) => list && { ...list, data: edit(list.data) },
      { revalidate: false },
    );
    // What was asked for meanwhile was asked for with reason.
    askAgain((key, _age, held) => isThere(key) && held === undefined);
  };
  const changeOne = (given: Conversation) => {
    const key = oneKey(given._id);
    const isNews = (known: Conversation | undefined) => known !== undefined && known.version <= given.version;
    const known = cache.get(key)?.data as Conversation | undefined;
    if (isNews(known)) void mutate(key, withKnown(given, known), { revalidate: false });
  };
  return {
    update: (id, edit) => change(isList, (all) => all.map((one) => (one._id === id ? edit(one) : one))),
    put(given) {
      change(
        (key) => key === pageKey(1),
        (all) => {
          const known = all.find(({ _id }) => _id === given._id);
          if (known && known.version > given.version) return all;
          return [withKnown(given, known), ...all.filter(({ _id }) => _id !== given._id)];
        },
      );
      changeOne(given);
    },
    remove(id) {
      change(isList, (all) => all.filter(({ _id }) => _id !== id));
      // Who has it open asks, and is told that it is gone.
      if (cache.get(oneKey(id))) void mutate(oneKey(id), undefined);
    },
    isAfterGap: (id, seq) =>
      [...cache.keys()]
        .filter(isList)
        .flatMap((key) => (cache.get(key)?.data as List | undefined)?.data ?? [])
        .some(({ _id, lastSeq }) => _id === id && seq > lastSeq + 1),
  };
}
