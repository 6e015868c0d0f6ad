import type { FoundMessage, searchMessages } from '@atrium/proto-events/http/chat/search';
import { useState } from 'react';
import { call } from '#lib/api/api.ts';
import { useRead } from '#lib/query/use-read.ts';
import { useAction } from '#ui/overlays/use-action.ts';

const ROUTE = 'GET /chat/search';
const PAGE_SIZE = 20;

type Older = { query: string; data: readonly FoundMessage[]; next: string | null };

/** Searches messages, newest first. Nothing is requested for an empty query. */
export function useMessageSearch(query: string) {
  const first = useRead<typeof searchMessages>(ROUTE, query === '' ? null : { query: { q: query, limit: PAGE_SIZE } });
  const [stored, setStored] = useState<Older>();
  // A page of the query before.
  const older = stored?.query === query ? stored : undefined;
  const next = older ? older.next : (first.data?.next ?? null);
  const loadMore = useAction(async () => {
    if (next === null) return;
    const page = await call<typeof searchMessages>(ROUTE, { query: { q: query, limit: PAGE_SIZE, before: next } });
    setStored({ query, data: [...(older?.data ?? []), ...page.data], next: page.next });
  }, 'Failed to load more results');
  const firstIds = new Set(first.data?.data.map(({ message }) => message._id));
  return {
    ...first,
    found: [...(first.data?.data ?? []), ...(older?.data ?? []).filter(({ message }) => !firstIds.has(message._id))],
    more: { hasMore: next !== null && !first.isLoading, load: () => void loadMore.run(), isLoading: loadMore.isBusy },
  };
}
