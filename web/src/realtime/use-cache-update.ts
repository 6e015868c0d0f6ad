import type { Change } from '@atrium/proto-events/realtime';
import { useMemo } from 'react';
import { useSWRConfig } from 'swr';
import { type Edit, QueryCache } from '#lib/query/query-cache.ts';
import { versionIn, withChanged, withoutDeleted, withSaved } from './cache-updates.ts';
import type { Item } from './invalidation-rules.ts';

type Shown = { _id: string };

/**
 * Also applies the write to responses in flight that predate it. What only the server knows, such as counts,
 * requires `useRefetchPaths` afterwards.
 */
export function useCacheUpdate<T extends Shown>(resource: Change['resource']) {
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
    const isSuperseded = ({ _id, version }: Item & Shown) =>
      typeof version === 'number' &&
      [...cache.keys()].some((key) => (versionIn(cache.get(key)?.data, _id) ?? version) > version);
    return {
      saved: (item: T) => {
        if (!isSuperseded({ ...item })) apply(withSaved(resource, { ...item }));
      },
      /** For a write that does not return the item; `edit` must be idempotent. */
      changed: (id: string, edit: (item: T) => T) =>
        apply(
          withChanged(resource, id, (item) => {
            const edited = edit(item as Item & T);
            return edited === item ? item : { ...edited };
          }),
        ),
      gone: (isDeleted: (item: T) => boolean) => apply(withoutDeleted(resource, (item) => isDeleted(item as Item & T))),
    };
  }, [cache, mutate, resource]);
}
