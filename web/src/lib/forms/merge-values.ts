import { toNormalForm } from '@atrium/proto-events/text/normal-form';
import { isRecord } from '../is-record.ts';

/** `value`: what to save; `isConflict`: both sides changed it to different values. */
export type Merged<Value> = { value: Value; isConflict: boolean };

/** The value that the form was filled from, the value in the form, and the stored value. */
export type Sides<Value> = { base: Value; mine: Value; theirs: Value };

/**
 * Three-way merge of a field. Lists are merged by item: additions and removals of both sides apply. Of other values,
 * the changed side wins.
 */
export function mergeValue<Value>({ base, mine, theirs }: Sides<Value>): Merged<Value> {
  if (isSameValue(mine, theirs) || isSameValue(mine, base)) return { value: theirs, isConflict: false };
  if (isSameValue(theirs, base)) return { value: mine, isConflict: false };
  if (Array.isArray(base) && Array.isArray(mine) && Array.isArray(theirs)) return mergeLists({ base, mine, theirs });
  return { value: mine, isConflict: true };
}

/** Three-way merge of a list that is typed as comma-separated text, such as tags. */
export function mergeCommaList({ base, mine, theirs }: Sides<string>): Merged<string> {
  if (isSameCommaList(mine, theirs) || isSameCommaList(mine, base)) return { value: theirs, isConflict: false };
  const merged = mergeLists({ base: itemsOf(base), mine: itemsOf(mine), theirs: itemsOf(theirs) });
  return { ...merged, value: merged.value.join(', ') };
}

export function isSameCommaList(one: string, other: string): boolean {
  return isSameValue(itemsOf(one), itemsOf(other));
}

/**
 * Deep equality of values as the server stores them: trimmed and in NFC. The order of a list of ids or strings does not
 * count.
 */
export function isSameValue(one: unknown, other: unknown): boolean {
  return keyOf(one) === keyOf(other);
}

const itemsOf = (text: string) =>
  text
    .split(',')
    .map((item) => item.trim())
    .filter(Boolean);

function keyOf(value: unknown): string {
  return JSON.stringify(canonical(value)) ?? 'undefined';
}

function canonical(value: unknown): unknown {
  if (typeof value === 'string') return toNormalForm(value, 'NFC').trim().replaceAll('\r\n', '\n');
  if (Array.isArray(value)) {
    const items = value.map(canonical);
    return items.every((item) => typeof item === 'string') ? items.sort() : items;
  }
  if (!isRecord(value)) return value;
  const names = Object.keys(value).sort();
  return names.map((name) => [name, canonical(value[name])]);
}

/** Multiset difference. */
function without<Item>(one: readonly Item[], other: readonly Item[]): Item[] {
  const counts = new Map<string, number>();
  for (const item of other) counts.set(keyOf(item), (counts.get(keyOf(item)) ?? 0) + 1);
  return one.filter((item) => {
    const count = counts.get(keyOf(item)) ?? 0;
    counts.set(keyOf(item), count - 1);
    return count <= 0;
  });
}

function mergeLists<Value>({ base, mine, theirs }: Sides<Value>): Merged<Value>;
function mergeLists<Item>({ base, mine, theirs }: Sides<Item[]>): Merged<Item[]> {
  const removed = { mine: without(base, mine), theirs: without(base, theirs) };
  const added = { mine: without(without(mine, base), without(theirs, base)), theirs: without(theirs, base) };
  const value = isReordered(mine, base)
    ? insertAll(without(mine, removed.theirs), without(added.theirs, mine), theirs)
    : insertAll(without(theirs, removed.mine), added.mine, mine);
  // A changed row reads as one removed and one added: two changes of the same row are a conflict.
  const isConflict =
    isRows(base) &&
    added.mine.length > 0 &&
    added.theirs.length > 0 &&
    without(removed.mine, removed.theirs).length < removed.mine.length;
  return { value, isConflict };
}

/** Whether the common items are in another order. */
function isReordered<Item>(one: readonly Item[], other: readonly Item[]): boolean {
  const common = (list: readonly Item[], added: readonly Item[]) => without(list, added).map(keyOf).join();
  return common(one, without(one, other)) !== common(other, without(other, one));
}

const isRows = (list: readonly unknown[]) => list.some(isRecord);

/** Inserts each item after its predecessor in `order`. */
function insertAll<Item>(list: readonly Item[], items: readonly Item[], order: readonly Item[]): Item[] {
  const result = [...list];
  for (const item of items) {
    const before = order.slice(0, order.indexOf(item)).map(keyOf);
    const at = result.findLastIndex((one) => before.includes(keyOf(one)));
    result.splice(at + 1, 0, item);
  }
  return result;
}
