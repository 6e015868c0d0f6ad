import { isRecord } from '#lib/is-record.ts';
import type { Before, Item } from './invalidation-rules.ts';
import { itemsOf } from './stale-queries.ts';

export const MAX_ITEMS = 20;

/**
 * Returns the list with newer items in place of the current ones. Undefined where a requested item is missing, because
 * it was deleted or is no longer visible: then the whole list must be refetched. Older versions never replace newer
 * ones.
 */
export function replaceItems(
  list: unknown,
  { ids, items, before }: { ids: ReadonlySet<string>; items: readonly Item[]; before?: Before | undefined },
): unknown {
  if (!isRecord(list)) return undefined;
  const byId = new Map(items.map((item) => [item._id, item]));
  const known = itemsOf(list);
  if (known.some(({ _id }) => ids.has(String(_id)) && !byId.has(_id))) return undefined;
  const data = known.map((item) => newerOf(item, byId.get(item._id)));
  return { ...list, data: before ? data.toSorted((a, b) => (before(a, b) ? -1 : 1)) : data };
}

/** The newer of two versions of an item; `other` where they are equal or have none. */
export function newerOf(known: Item, other: Item | undefined): Item {
  if (!other) return known;
  return typeof known.version === 'number' && typeof other.version === 'number' && other.version < known.version
    ? known
    : other;
}
