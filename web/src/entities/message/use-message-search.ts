import type { FoundMessage, searchMessages } from '@atrium/proto-events/http/chat/search';
import { useState } from 'react';
import { call } from '#lib/api/api.ts';
import { useRead } from '#lib/query/use-read.ts';
import { browserTimeZone } from '#lib/time/time-zone.ts';
import { useAction } from '#ui/overlays/use-action.ts';

const ROUTE = 'GET /chat/search';
const PAGE_SIZE = 20;

/** Dates are those that the messages show, in the time zone of the device. */
const inputOf = (q: string, before?: string) => ({
  query: { q, limit: PAGE_SIZE, timezone: browserTimeZone(), ...(before !== undefined && { before }) },
});

type Results = { data: readonly FoundMessage[]; next: string | null };

/** All pages, as of when the last one was loaded. */
type Loaded = Results & { query: string };

/** Searches messages, newest first. Nothing is requested for an empty query. */
export function useMessageSearch(query: string) {
  const first = useRead<typeof searchMessages>(ROUTE, query === '' ? null : inputOf(query));
  const [loaded, setLoaded] = useState<Loaded>();
  const { data: found, next } = continueResults(first.data, loaded?.query === query ? loaded : undefined);
  const loadMore = useAction(async () => {
    if (next === null) return;
    const page = await call<typeof searchMessages>(ROUTE, inputOf(query, next));
    setLoaded({ query, data: [...found, ...page.data], next: page.next });
  }, 'Failed to load more results');
  return {
    ...first,
    found,
    more: { hasMore: next !== null && !first.isLoading, load: () => void loadMore.run(), isLoading: loadMore.isBusy },
  };
}

const NOTHING: Results = { data: [], next: null };

/**
 * Continues a first page, which changes as messages are sent and deleted, with what was loaded after its last results.
 * If none of them was loaded, results may be missing in between, and are loaded again.
 */
export function continueResults(first: Results | undefined, loaded: Results | undefined): Results {
  if (!first || !loaded) return first ?? loaded ?? NOTHING;
  const indexes = new Map(loaded.data.map(({ message }, index) => [message._id, index]));
  const shared = first.data.findLast(({ message }) => indexes.has(message._id));
  if (!shared) return first;
  const firstIds = new Set(first.data.map(({ message }) => message._id));
  const rest = loaded.data.slice((indexes.get(shared.message._id) ?? 0) + 1);
  return { data: [...first.data, ...rest.filter(({ message }) => !firstIds.has(message._id))], next: loaded.next };
}
