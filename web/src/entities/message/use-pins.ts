import type { listPins, listSaved, SavedMessage } from '@atrium/proto-events/http/chat/pins';
import { useState } from 'react';
import { loadMoreProps } from '#lib/query/paging.ts';
import { useInfinitePages } from '#lib/query/use-infinite-pages.ts';
import { keyOf, useRead } from '#lib/query/use-read.ts';

export const usePins = (conversationId: string) =>
  useRead<typeof listPins>('GET /chat/conversations/:id/pins', { params: { id: conversationId } });

const PAGE_SIZE = 50;

export function useSavedMessages() {
  const [pages, setPages] = useState(1);
  const query = useInfinitePages<SavedMessage>(
    (page) => keyOf<typeof listSaved>('GET /chat/saved', { query: { limit: PAGE_SIZE, page } }),
    pages,
  );
  return { query, more: loadMoreProps(query, pages, setPages) };
}
