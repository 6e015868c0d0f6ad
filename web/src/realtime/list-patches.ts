import { isRecord } from '../lib/is-record.ts';
import type { Before, Item } from './invalidation-rules.ts';
import { itemsOf } from './stale-queries.ts';

/** More than so many are not asked for by their ids: the list itself is the shorter question. */
export const MOST_ITEMS = 20;

/**
 * The answer of a list with items that were asked for anew in place of those of before. Undefined where one that it holds was asked for
 * and is not there any more, or is not to be seen: then the list itself has to be asked for. An older version replaces no newer one.
 */
export function withItems(
  held: unknown,
  { ids, items, before }: { ids: ReadonlySet<string>; items: readonly Item[]; before?: Before | undefined },
): unknown {
  if (!isRecord(held)) return undefined;
  const byId = new Map(items.map((item) => [item._id, item]));
  const known = itemsOf(held);
  if (known.some(({ _id }) => ids.has(String(_id)) && !byId.has(_id))) return undefined;
  const data = known.map((item) => laterOf(item, byId.get(item._id)));
  return { ...held, data: before ? data.toSorted((one, other) => (before(one, other) ? -1 : 1)) : data };
}

/** The later of two versions of an item; the other where they are the same, or have none. */
export function laterOf(known: Item, other: Item | undefined): Item {
  if (!other) return known;
  return typeof known.version === 'number' && typeof other.version === 'number' && other.version < known.version
    ? known
    : other;
}
