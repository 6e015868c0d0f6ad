import type { SearchType, searchEverything } from '@atrium/proto-events/http/search/everything';
import { useRead } from '#lib/query/use-read.ts';
import { browserTimeZone } from '#lib/time/time-zone.ts';

type Options = { types?: readonly SearchType[]; limit: number };

/** Searches on the server. An empty query requests nothing. */
export function useEverything(q: string, { types, limit }: Options) {
  const query = { q, limit, timezone: browserTimeZone(), ...(types && { types: types.join(',') }) };
  return useRead<typeof searchEverything>('GET /search', q === '' || types?.length === 0 ? null : { query });
}
