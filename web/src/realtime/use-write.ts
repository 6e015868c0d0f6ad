import type { Change } from '@atrium/proto-events/realtime';
import { useMemo } from 'react';
import { useQueryCache } from '#lib/query/swr-config.ts';
import { useRefetch, useRefetchKeys } from '#lib/query/use-refetch.ts';
import { useCurrentUser } from '#lib/session/session.ts';
import { isConnected } from './connection/status.ts';
import type { Item } from './items.ts';
import { createContext } from './live-changes.ts';
import { isSuperseded, shows, withChanged, withCreated, withoutDeleted, withSaved } from './own-writes.ts';

/**
 * Shows the user's own writes in all cached responses of a resource, and in those in flight that predate them. Without a
 * connection for live updates, the responses are also requested again.
 */
export function useWrite<T extends { _id: string }>(resource: Change['resource']) {
  const cache = useQueryCache();
  const refetchKeys = useRefetchKeys();
  const refetch = useRefetch();
  const user = useCurrentUser();
  return useMemo(() => {
    const refetchUnlessLive = () => {
      if (!isConnected()) refetchKeys((key) => shows(resource, key));
    };
    const edit = (change: Parameters<typeof cache.edit>[0]) => cache.edit(change, { isOptimistic: true });
    return {
      /** Shows the response of a write that created the item. */
      created(item: T): void {
        edit(withCreated(resource, { ...item }, createContext(cache, user)));
        refetchUnlessLive();
      },
      /** Shows the response of another write. */
      saved(item: T): void {
        const saved = { ...item };
        if (!isSuperseded(cache, resource, saved)) edit(withSaved(resource, saved, createContext(cache, user)));
        refetchUnlessLive();
      },
      /** Shows a change whose outcome is known without a response; `change` must be idempotent. */
      changed: (id: string, change: (item: T) => T): void =>
        edit(
          withChanged(resource, id, (item) => {
            const changed = change(item as Item & T);
            return changed === item ? item : { ...changed };
          }),
        ),
      deleted(isDeleted: (item: T) => boolean): void {
        edit(withoutDeleted(resource, (item) => isDeleted(item as Item & T)));
        refetchUnlessLive();
      },
      refetch,
    };
  }, [cache, refetchKeys, refetch, user, resource]);
}
