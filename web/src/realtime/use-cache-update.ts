import type { Change } from '@atrium/proto-events/realtime';
import { useMemo } from 'react';
import { useSWRConfig } from 'swr';
import { type Edit, QueryCache } from '../lib/query/query-cache.ts';
import { versionIn, withChanged, withoutGone, withSaved } from './cache-updates.ts';
import type { Item } from './invalidation-rules.ts';

type Shown = { _id: string };

/**
 * Shows what was written wherever it is shown, at once, so that nobody waits for lists to be asked for again, and no answer to a question
 * of before takes it back. What only the server can tell, such as counts, comes with `useRefresh`, which has to follow for the same paths.
 */
export function useCacheUpdate<T extends Shown>(resource: Change['resource']) {
  const { cache, mutate } = useSWRConfig();
  return useMemo(() => {
    const apply = (edit: Edit) => {
      if (cache instanceof QueryCache) cache.edit(edit);
      for (const key of [...cache.keys()]) {
        const held: unknown = cache.get(key)?.data;
        const edited = held === undefined ? held : edit(key, held);
        // Has SWR throw away what is on its way under the key, which is of before.
        if (edited !== held) void mutate(key, edited, { revalidate: false });
      }
    };
    const isOvertaken = ({ _id, version }: Item & Shown) =>
      typeof version === 'number' &&
      [...cache.keys()].some((key) => (versionIn(cache.get(key)?.data, _id) ?? version) > version);
    return {
      /** As a write has answered it. */
      saved: (item: T) => {
        if (!isOvertaken({ ...item })) apply(withSaved(resource, { ...item }));
      },
      /** Where a write does not answer it whole; `edit` may meet an item that has the change already. */
      changed: (id: string, edit: (item: T) => T) =>
        // The items of a resource are of the contract's type.
        apply(
          withChanged(resource, id, (item) => {
            const edited = edit(item as Item & T);
            return edited === item ? item : { ...edited };
          }),
        ),
      gone: (isGone: (item: T) => boolean) => apply(withoutGone(resource, (item) => isGone(item as Item & T))),
    };
  }, [cache, mutate, resource]);
}
