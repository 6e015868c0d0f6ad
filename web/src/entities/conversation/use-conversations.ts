import type { Conversation, getConversation, listConversations } from '@atrium/proto-events/http/chat/conversations';
import { useLayoutEffect, useMemo, useState } from 'react';
import useSWR from 'swr';
import { read } from '#lib/api/api.ts';
import type { ApiError } from '#lib/api/api-error.ts';
import { useRead } from '#lib/query/use-read.ts';
import { unread } from '#realtime/unread.ts';
import { LATEST_CONVERSATIONS } from './conversation.ts';
import { type List, PATH, pageInput, pageKey } from './conversation-edits.ts';
import { recordTitles } from './conversation-titles.ts';

export function useLatestConversations() {
  const latest = useRead<typeof listConversations>(`GET ${PATH}`, pageInput(1));
  useRecordedStates(latest.data?.data);
  return latest;
}

/** Each response updates the counts everywhere, before it is painted. */
export function useRecordedStates(conversations: readonly Conversation[] | undefined): void {
  useLayoutEffect(() => {
    if (!conversations) return;
    unread.recordListed(conversations);
    recordTitles(conversations);
  }, [conversations]);
}

/** Lists the latest conversations, and with `isComplete` all of them. */
export function useConversations(isComplete = false) {
  const [chosenPages, setPages] = useState(1);
  const latest = useLatestConversations();
  const pages = isComplete ? Math.max(chosenPages, latest.data?.totalPages ?? 1) : chosenPages;
  const earlier = useSWR<List, ApiError>(pages > 1 ? pageKey(pages) : null, () => readEarlier(pages));
  useRecordedStates(earlier.data?.data);
  const totalPages = latest.data?.totalPages ?? 1;
  const readPages = earlier.data?.page ?? 1;
  return {
    ...latest,
    conversations: latest.data && mergePages(latest.data.data, earlier.data?.data ?? []),
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

/** Pages 2 to `last`, fetched together: an event can move a conversation to another page. */
async function readEarlier(last: number): Promise<List> {
  const numbers = Array.from({ length: last - 1 }, (_, index) => index + 2);
  const lists = (await Promise.all(numbers.map((page) => read(pageKey(page))))) as List[];
  const total = lists.at(-1)?.total ?? 0;
  return {
    data: lists.flatMap(({ data }) => data),
    total,
    page: last,
    totalPages: Math.ceil(total / LATEST_CONVERSATIONS.limit),
  };
}

export function useConversation(id: string | null) {
  const conversation = useRead<typeof getConversation>(`GET ${PATH}/:id`, id === null ? null : { params: { id } }, {
    keepPreviousData: false,
  });
  const { data } = conversation;
  useRecordedStates(useMemo(() => data && [data], [data]));
  return conversation;
}

/**
 * Sorts by latest activity and removes duplicates: a conversation that moved to the top is still in its previous page
 * until that is refetched.
 */
function mergePages(latest: List['data'], earlier: List['data']): List['data'] {
  const latestIds = new Set(latest.map(({ _id }) => _id));
  const conversations = [...latest, ...earlier.filter(({ _id }) => !latestIds.has(_id) && latestIds.add(_id))];
  return conversations.sort((a, b) => (a.updatedAt < b.updatedAt ? 1 : -1));
}
