import type { Cache } from 'swr';
import { ApiError } from '#lib/api/api-error.ts';
import { FRESH_MS, QueryCache } from '#lib/query/query-cache.ts';
import type { Item } from './invalidation-rules.ts';
import { MAX_ITEMS, replaceItems } from './list-patches.ts';
import { createRefetchScheduler, type Outcome, toOutcome } from './refetch-scheduler.ts';
import { findItemsRule, type ItemsRule } from './stale-queries.ts';
import { isWorkspaceWide } from './topics.ts';

/*
 * From a change to a request:
 * 1. `live-sync.ts` receives changes and asks `stale-queries.ts` what each cached response lacks: nothing, items, or all.
 *    `delayed-refetch.ts` wraps that predicate to refetch responses of other services once more, 10 seconds later.
 * 2. `createRefetch` applies the predicate to every cached key. While a request for a key is in flight, the change waits
 *    (`createPendingInvalidations`), because the response may already include it.
 * 3. Keys that no component observes are invalidated and refetched by their next observer. Others go to
 *    `refetch-scheduler.ts`, which calls back `refetch` here at the pace of their responses.
 * 4. `refetch` fetches the changed items and replaces them in the list, or refetches the whole query through SWR.
 */

/** What to refetch of a key: nothing, the whole response, or these items of its list. */
export type RefetchTarget = boolean | ReadonlySet<string>;

/**
 * `age` is the milliseconds since the data, or the request in flight, was requested. `data` is undefined while a request
 * is in flight.
 */
export type GetRefetchTarget = (key: string, age: number, data: unknown) => RefetchTarget;

export type RefetchOptions = {
  /** Refetches without a pause, after the user's own write. */
  isImmediate?: boolean;
  /** The minimum interval that the server sent with the change. */
  pacing?: { minRefetchIntervalMs?: number };
  /** Awaits a request in flight first, whose response shows whether it includes the change. */
  awaitInFlight?: boolean;
};

export type Refetch = (getTarget: GetRefetchTarget, options?: RefetchOptions) => void;

type RefetchDeps = {
  revalidate: (key: string) => Promise<Outcome>;
  fetchItems: (path: string, key: string) => Promise<{ items: readonly Item[] | null } & Outcome>;
  show: (key: string, updated: unknown) => void;
  isVisible: () => boolean;
  onceVisible: (callback: () => void) => void;
};

export function createRefetch(cache: Cache, { revalidate, fetchItems, show, isVisible, onceVisible }: RefetchDeps) {
  // The app always provides one; null only in component tests with SWR's own cache.
  const queryCache = cache instanceof QueryCache ? cache : null;
  const isShown = (key: string) => queryCache === null || queryCache.isObserved(key);
  const itemIds = new Map<string, ReadonlySet<string>>();
  const wholeKeys = new Set<string>();
  const markWhole = (key: string) => {
    itemIds.delete(key);
    wholeKeys.add(key);
    queryCache?.invalidate(key);
  };
  const refetchItems = async (key: string, ids: ReadonlySet<string>, list: ItemsRule): Promise<Outcome> => {
    // Changes from now on may not be in this response, and are fetched again.
    itemIds.delete(key);
    const { items, ...outcome } = await fetchItems(itemsPath(list.items, ids, key), key);
    if (outcome.hasFailed && !wholeKeys.has(key)) itemIds.set(key, new Set([...ids, ...(itemIds.get(key) ?? [])]));
    if (outcome.hasFailed) return outcome;
    // A response in flight was requested after these changes.
    const data = queryCache?.settledData(key);
    if (data === undefined) return outcome;
    const updated = items && replaceItems(data, { ids, items, before: list.before });
    if (updated) show(key, updated);
    else {
      markWhole(key);
      if (isShown(key)) scheduler.scheduleRefetch([key]);
      else wholeKeys.delete(key);
    }
    return outcome;
  };
  const itemRequests = new Map<string, Promise<Outcome>>();
  const scheduler = createRefetchScheduler({
    async refetch(key) {
      const ids = itemIds.get(key);
      const list = findItemsRule(key);
      if (ids && list && !wholeKeys.has(key)) {
        const request = refetchItems(key, ids, list).finally(() => itemRequests.delete(key));
        itemRequests.set(key, request);
        return request;
      }
      for (const pendingKeys of [itemIds, wholeKeys]) pendingKeys.delete(key);
      // SWR would discard the response to a request in flight.
      await queryCache?.settled(key);
      return revalidate(key);
    },
    isMissing: (key) =>
      queryCache?.isObserved(key) === true && (itemIds.has(key) || queryCache.dataAge(key) >= FRESH_MS),
    isWorkspaceWide,
    markStale: (key) => void (itemIds.has(key) || queryCache?.invalidate(key)),
    isVisible,
    onceVisible,
  });
  queryCache?.onFailed((key, error) => {
    if (error instanceof ApiError) scheduler.recordFailure(key, toOutcome(error));
  });
  const itemsToFetch = (key: string, target: RefetchTarget): ReadonlySet<string> | null => {
    if (typeof target === 'boolean' || !isShown(key) || !findItemsRule(key)) return null;
    const ids = new Set([...(itemIds.get(key) ?? []), ...target]);
    return ids.size <= MAX_ITEMS ? ids : null;
  };
  const refetchTargets = (targets: ReadonlyMap<string, Exclude<RefetchTarget, false>>, isImmediate: boolean) => {
    const keysToRefetch: string[] = [];
    for (const [key, target] of targets) {
      const items = itemsToFetch(key, target);
      if (!items) keysToRefetch.push(key);
      else if (!wholeKeys.has(key)) {
        itemIds.set(key, items);
        scheduler.scheduleRefetch([key]);
      }
    }
    for (const key of keysToRefetch) markWhole(key);
    // Without an observer, this sends no request; it ends SWR's deduping interval, so that the next observer does.
    for (const key of keysToRefetch) if (!isShown(key) && wholeKeys.delete(key)) void revalidate(key);
    if (isImmediate) scheduler.refetchNow(keysToRefetch.filter(isShown));
    else scheduler.scheduleRefetch(keysToRefetch.filter(isShown));
  };
  const isInFlight = (key: string) => itemRequests.has(key) || queryCache?.isInFlight(key) === true;
  const getRequestAge = (key: string) => queryCache?.requestAge(key) ?? Number.POSITIVE_INFINITY;
  const deferInvalidation = createPendingInvalidations<{ getTarget: GetRefetchTarget; age: number }>(
    {
      isInFlight,
      settled: (key) => Promise.all([itemRequests.get(key), queryCache?.settled(key)]),
      wasRequestedAfter: (key, at) => getRequestAge(key) < Date.now() - at,
    },
    (key, updates) => {
      const data = queryCache?.settledData(key);
      const target = mergeTargets(updates.map(({ getTarget, age }) => getTarget(key, age, data)));
      if (target) refetchTargets(new Map([[key, target]]), false);
    },
  );
  const refetch: Refetch = (getTarget, { isImmediate = false, pacing, awaitInFlight = false } = {}) => {
    if (pacing) scheduler.setMinInterval(pacing.minRefetchIntervalMs);
    const targets = new Map<string, Exclude<RefetchTarget, false>>();
    for (const key of [...cache.keys()]) {
      const age = getRequestAge(key);
      const target = getTarget(key, age, queryCache?.settledData(key));
      if (target === false) continue;
      if (awaitInFlight && isInFlight(key)) deferInvalidation(key, { getTarget, age });
      else targets.set(key, target);
    }
    refetchTargets(targets, isImmediate);
  };
  return refetch;
}

function mergeTargets(targets: readonly RefetchTarget[]): RefetchTarget {
  if (targets.includes(true)) return true;
  const ids = new Set(targets.flatMap((target) => (typeof target === 'boolean' ? [] : [...target])));
  return ids.size > 0 && ids;
}

function itemsPath(path: string, ids: ReadonlySet<string>, key: string): string {
  const people = new URLSearchParams(key.split('?')[1]).get('people');
  return `${path}?ids=${[...ids].join(',')}&limit=${MAX_ITEMS}${people === null ? '' : `&people=${people}`}`;
}

type PendingInvalidation<Update> = { update: Update; at: number };

type Deps = {
  isInFlight: (key: string) => boolean;
  settled: (key: string) => Promise<unknown>;
  wasRequestedAfter: (key: string, at: number) => boolean;
};

/** Holds updates of a key until its response arrives, then applies those that it cannot include. */
function createPendingInvalidations<Update>(
  { isInFlight, settled, wasRequestedAfter }: Deps,
  apply: (key: string, update: readonly Update[]) => void,
) {
  const pendingByKey = new Map<string, PendingInvalidation<Update>[]>();
  const wait = async (key: string) => {
    while (isInFlight(key)) await settled(key);
    const pending = pendingByKey.get(key) ?? [];
    pendingByKey.delete(key);
    const unresolved = pending.filter(({ at }) => !wasRequestedAfter(key, at));
    if (unresolved.length > 0)
      apply(
        key,
        unresolved.map(({ update }) => update),
      );
  };
  return (key: string, update: Update): void => {
    const entry = { update, at: Date.now() };
    const existing = pendingByKey.get(key);
    if (existing) return void existing.push(entry);
    pendingByKey.set(key, [entry]);
    void wait(key);
  };
}
