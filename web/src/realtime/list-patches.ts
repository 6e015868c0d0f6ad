import { isRecord } from '#lib/is-record.ts';
import type { Before, Item } from './invalidation-rules.ts';
import { itemsOf } from './stale-queries.ts';

export const MAX_ITEMS = 20;

/**
 * Returns the list with newer items in place of the current ones. Returns undefined if a requested item is missing,
 * because it was deleted or is no longer visible: then the whole list must be refetched. Older versions never replace
 * newer ones.
 */
export function replaceItems(
  list: unknown,
  { ids, items, before }: { ids: ReadonlySet<string>; items: readonly Item[]; before?: Before | undefined },
): unknown {
  if (!isRecord(list)) return undefined;
  const byId = new Map(items.map((item) => [item._id, item]));
  const currentItems = itemsOf(list);
  if (currentItems.some(({ _id }) => ids.has(String(_id)) && !byId.has(_id))) return undefined;
  const data = currentItems.map((item) => newerItem(item, byId.get(item._id)));
  return { ...list, data: before ? data.toSorted((a, b) => (before(a, b) ? -1 : 1)) : data };
}

/** Returns the newer version of an item, or `fetched` if the versions are equal or missing. */
export function newerItem(current: Item, fetched: Item | undefined): Item {
  if (!fetched) return current;
  return typeof current.version === 'number' && typeof fetched.version === 'number' && fetched.version < current.version
    ? current
    : fetched;
}
