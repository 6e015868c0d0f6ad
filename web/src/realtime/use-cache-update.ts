import type { Change } from '@atrium/proto-events/realtime';
import { useMemo } from 'react';
import { useSWRConfig } from 'swr';
import { type Edit, QueryCache } from '#lib/query/query-cache.ts';
import { versionIn, withChanged, withoutDeleted, withSaved } from './cache-updates.ts';
import type { Item } from './invalidation-rules.ts';

type Identified = { _id: string };

/**
 * Applies the user's own writes to cached responses, and to responses in flight that predate them. Values that only the
 * server knows, such as counts, require `useRefetchPaths` afterward.
 */
export function useCacheUpdate<T extends Identified>(resource: Change['resource']) {
  const { cache, mutate } = useSWRConfig();
  return useMemo(() => {
    const apply = (edit: Edit) => {
      if (cache instanceof QueryCache) cache.edit(edit);
      for (const key of [...cache.keys()]) {
        const data: unknown = cache.get(key)?.data;
        const edited = data === undefined ? data : edit(key, data);
        // Makes SWR discard the request in flight, which predates the write.
        if (edited !== data) void mutate(key, edited, { revalidate: false });
      }
    };
    const isSuperseded = ({ _id, version }: Item & Identified) =>
      typeof version === 'number' &&
      [...cache.keys()].some((key) => (versionIn(cache.get(key)?.data, _id) ?? version) > version);
    return {
      applySaved: (item: T) => {
        if (!isSuperseded({ ...item })) apply(withSaved(resource, { ...item }));
      },
      /** Applies a write that does not return the item; `edit` must be idempotent. */
      applyChange: (id: string, edit: (item: T) => T) =>
        apply(
          withChanged(resource, id, (item) => {
            const edited = edit(item as Item & T);
            return edited === item ? item : { ...edited };
          }),
        ),
      applyDeletion: (isDeleted: (item: T) => boolean) =>
        apply(withoutDeleted(resource, (item) => isDeleted(item as Item & T))),
    };
  }, [cache, mutate, resource]);
}
