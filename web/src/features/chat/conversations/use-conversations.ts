import type { Conversation, getConversation, listConversations } from '@atrium/proto-events/http/chat';
import { useCallback, useState } from 'react';
import useSWR, { useSWRConfig } from 'swr';
import { LATEST_CONVERSATIONS } from '../../../entities/conversation.ts';
import { read } from '../../../lib/api/api.ts';
import type { ApiError } from '../../../lib/api/api-error.ts';
import { keyOf } from '../../../lib/cache/keys.ts';
import { useAskAgain } from '../../../lib/cache/use-ask-again.ts';
import { useRead } from '../../../lib/cache/use-read.ts';

const PATH = '/chat/conversations';

type List = { data: Conversation[]; total: number; page: number; totalPages: number };

const pageInput = (page: number) => ({ query: { ...LATEST_CONVERSATIONS, ...(page > 1 && { page }) } });
const pageKey = (page: number) => keyOf<typeof listConversations>(`GET ${PATH}`, pageInput(page));

/** The person's conversations, the latest activity first: the latest hundred, and as many hundreds more as were asked for. */
export function useConversations() {
  const [pages, setPages] = useState(1);
  const latest = useRead<typeof listConversations>(`GET ${PATH}`, pageInput(1));
  const earlier = useSWR<List, ApiError>(pages > 1 ? pageKey(pages) : null, () => readEarlier(pages));
  const totalPages = latest.data?.totalPages ?? 1;
  const readPages = earlier.data?.page ?? 1;
  return {
    ...latest,
    conversations: latest.data && merged(latest.data.data, earlier.data?.data ?? []),
    earlier: {
      hasMore: readPages < totalPages,
      isLoading: readPages < pages && earlier.isValidating,
      error: readPages < pages && !earlier.isValidating ? earlier.error : undefined,
      load: () => {
        if (readPages < pages) void earlier.mutate();
        else setPages(readPages + 1);
      },
    },
  };
}

/** Everything from the second page to the given one, in one piece: what happens in one of them can move it to another page. */
async function readEarlier(last: number): Promise<List> {
  const numbers = Array.from({ length: last - 1 }, (_, index) => index + 2);
  // The type of the answer is the contract's, which the service has parsed it by.
  const lists = (await Promise.all(numbers.map((page) => read(pageKey(page))))) as List[];
  const total = lists.at(-1)?.total ?? 0;
  return {
    data: lists.flatMap(({ data }) => data),
    total,
    page: last,
    totalPages: Math.ceil(total / LATEST_CONVERSATIONS.limit),
  };
}

/** One by its id, for an address that names one which the list does not hold. */
export function useConversation(id: string | null) {
  return useRead<typeof getConversation>(`GET ${PATH}/:id`, id === null ? null : { params: { id } }, {
    keepPreviousData: false,
  });
}

/** Changes what is listed at once by what the socket says, before the server is asked again. */
export function useListChanges() {
  const { mutate, cache } = useSWRConfig();
  const askAgain = useAskAgain();
  const change = useCallback(
    (isMeant: (key: string) => boolean, edit: (conversations: Conversation[]) => Conversation[]) => {
      // A list that is still on its way for the first time is left alone: a change makes SWR throw away the answer that comes.
      const isThere = (key: string) => isMeant(key) && cache.get(key)?.data !== undefined;
      void mutate<List>(
        (key) => typeof key === 'string' && isThere(key),
        (list) => list && { ...list, data: edit(list.data) },
        { revalidate: false },
      );
      // What was asked for meanwhile was asked for with reason.
      askAgain((key, _age, held) => isThere(key) && held === undefined);
    },
    [mutate, cache, askAgain],
  );
  const update = useCallback(
    (id: string, edit: (conversation: Conversation) => Conversation) =>
      change(isList, (all) => all.map((one) => (one._id === id ? edit(one) : one))),
    [change],
  );
  const changeOne = useCallback(
    (given: Conversation) => {
      const key = oneKey(given._id);
      const isNews = (known: Conversation | undefined) => known !== undefined && known.version <= given.version;
      if (isNews(cache.get(key)?.data)) void mutate(key, given, { revalidate: false });
    },
    [mutate, cache],
  );
  /** Takes a conversation as the server tells it; one that is known to be newer stays. */
  const put = useCallback(
    (given: Conversation) => {
      change(
        (key) => key === pageKey(1),
        (all) => {
          const known = all.find(({ _id }) => _id === given._id);
          if (known && known.version > given.version) return all;
          return [given, ...all.filter(({ _id }) => _id !== given._id)];
        },
      );
      changeOne(given);
    },
    [change, changeOne],
  );
  const remove = useCallback(
    (id: string) => {
      change(isList, (all) => all.filter(({ _id }) => _id !== id));
      // Who has it open asks, and is told that it is gone.
      void mutate(oneKey(id), undefined);
    },
    [change, mutate],
  );
  return { update, put, remove };
}

const oneKey = (id: string) => keyOf<typeof getConversation>(`GET ${PATH}/:id`, { params: { id } });

const isList = (key: string) => key.startsWith(`${PATH}?`);

/** Latest first, each once: one that came to the top is still in its old place until that is asked for again. */
function merged(latest: readonly Conversation[], earlier: readonly Conversation[]): Conversation[] {
  const known = new Set(latest.map(({ _id }) => _id));
  const all = [...latest, ...earlier.filter(({ _id }) => !known.has(_id) && known.add(_id))];
  return all.sort((one, other) => (one.updatedAt < other.updatedAt ? 1 : -1));
}
