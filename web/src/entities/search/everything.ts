import type { SearchType, searchEverything } from '@atrium/proto-events/http/search/everything';
import { useState } from 'react';
import { read } from '#lib/api/api.ts';
import { REFETCH_WHEN_SHOWN } from '#lib/query/swr-config.ts';
import { useRead } from '#lib/query/use-read.ts';
import { browserTimeZone } from '#lib/time/time-zone.ts';

type Options = { types?: readonly SearchType[]; limit: number };

/** Searches on the server. Cancels the search for the previous query. An empty query requests nothing. */
export function useEverything(q: string, { types, limit }: Options) {
  const [fetcher] = useState(createLatestRead);
  const query = { q, limit, timezone: browserTimeZone(), ...(types && { types: types.join(',') }) };
  return useRead<typeof searchEverything>('GET /search', q === '' || types?.length === 0 ? null : { query }, {
    fetcher,
    ...REFETCH_WHEN_SHOWN,
  });
}

/** Cancels its previous request, which nobody waits for, when another one begins. */
function createLatestRead(): (path: string) => Promise<unknown> {
  let latest: AbortController | undefined;
  return (path) => {
    latest?.abort();
    latest = new AbortController();
    return read(path, { signal: latest.signal });
  };
}
