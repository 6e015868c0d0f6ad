import type { Conversation, getConversation, listConversations } from '@atrium/proto-events/http/chat';
import { useCallback } from 'react';
import { useSWRConfig } from 'swr';
import { keyOf } from '../../lib/keys.ts';
import { useRead } from '../../lib/use-read.ts';

const QUERY = { query: { limit: 100 } } as const;
const ROUTE = 'GET /chat/conversations';
const LIST_KEY = keyOf<typeof listConversations>(ROUTE, QUERY);

type List = { data: Conversation[]; total: number; page: number; totalPages: number };

/** The person's conversations, the latest activity first. */
export function useConversations() {
  const answer = useRead<typeof listConversations>(ROUTE, QUERY);
  return { ...answer, conversations: answer.data && sorted(answer.data.data) };
}

/** One by its id, for an address that names one which the list does not hold. */
export function useConversation(id: string | null) {
  return useRead<typeof getConversation>('GET /chat/conversations/:id', id === null ? null : { params: { id } }, {
    keepPreviousData: false,
  });
}

/** Changes the list at once by what the socket says, before the server is asked again. */
export function useListChanges() {
  const { mutate } = useSWRConfig();
  const change = useCallback(
    (edit: (conversations: Conversation[]) => Conversation[]) =>
      void mutate<List>(LIST_KEY, (list) => list && { ...list, data: edit(list.data) }, { revalidate: false }),
    [mutate],
  );
  const update = useCallback(
    (id: string, edit: (conversation: Conversation) => Conversation) =>
      change((all) => all.map((one) => (one._id === id ? edit(one) : one))),
    [change],
  );
  /** Takes a conversation as the server tells it; one that is known to be newer stays. */
  const put = useCallback(
    (given: Conversation) =>
      change((all) => {
        const known = all.find(({ _id }) => _id === given._id);
        if (known && known.version > given.version) return all;
        return [given, ...all.filter(({ _id }) => _id !== given._id)];
      }),
    [change],
  );
  const remove = useCallback((id: string) => change((all) => all.filter(({ _id }) => _id !== id)), [change]);
  return { update, put, remove };
}

function sorted(conversations: readonly Conversation[]): Conversation[] {
  return [...conversations].sort((one, other) => (one.updatedAt < other.updatedAt ? 1 : -1));
}
