import { toNormalForm } from '@atrium/proto-events/text/normal-form';
import type { ReactNode } from 'react';
import { isRecord } from '../is-record.ts';

type FieldText<Value> = {
  label: string;
  text?(value: Value): ReactNode;
  isCommaList?: boolean;
};

/** Lists every field, so that no conflict is missed. Null marks a value that is not part of the resource. */
export type FieldTexts<Values> = { [Name in keyof Values]-?: string | FieldText<Values[Name]> | null };

export const optionText = (options: readonly { value: string; label: string }[]) => (value: string) =>
  options.find((option) => option.value === value)?.label ?? value;

export type FieldDifference = { label: string; yours: ReactNode; theirs: ReactNode };

type MergedValues<Values> = { values: Values; isConflict: boolean };

export function createFieldMerge<Values extends object>(texts: FieldTexts<Values>) {
  const fields = new Map<string, string | FieldText<unknown> | null>(Object.entries(texts));
  const getField = (name: string) => {
    const field = fields.get(name);
    return field === undefined || typeof field === 'string' ? { label: field ?? name } : field;
  };
  const isList = (name: string, value: unknown) => Array.isArray(value) || getField(name)?.isCommaList === true;
  const isSame = (name: string, a: unknown, b: unknown) => {
    const field = getField(name);
    if (!field) return true;
    return field.isCommaList ? isSameCommaList(String(a), String(b)) : isSameValue(a, b);
  };
  const mergeField = (name: string, sides: Sides<unknown>): Merged<unknown> => {
    const field = getField(name);
    if (!field) return { value: sides.mine, isConflict: false };
    if (!field.isCommaList) return mergeValue(sides);
    return mergeCommaList({ base: String(sides.base), mine: String(sides.mine), theirs: String(sides.theirs) });
  };
  return {
    mergeField,
    /**
     * A single value that others changed is a conflict even if it is unchanged here, because the user typed the rest
     * without knowing about it.
     */
    merge({ base, mine, theirs }: Sides<Values>): MergedValues<Values> {
      const baseValues = new Map<string, unknown>(Object.entries(base));
      const theirValues = new Map<string, unknown>(Object.entries(theirs));
      let isConflict = false;
      const values = Object.entries(mine).map(([name, value]: [string, unknown]) => {
        const sides = { base: baseValues.get(name), mine: value, theirs: theirValues.get(name) };
        const merged = mergeField(name, sides);
        const isTheirs = !isSame(name, sides.theirs, sides.base) && !isSame(name, sides.theirs, value);
        if (merged.isConflict || (isTheirs && !isList(name, value))) isConflict = true;
        return [name, merged.value];
      });
      return { values: { ...mine, ...Object.fromEntries(values) }, isConflict };
    },
    differences(yours: Values, theirs: Values): FieldDifference[] {
      const theirValues = new Map<string, unknown>(Object.entries(theirs));
      return Object.entries(yours).flatMap(([name, value]: [string, unknown]) => {
        const field = getField(name);
        if (!field || isSame(name, value, theirValues.get(name))) return [];
        const format = (value: unknown) => (field.text ? field.text(value) : plainText(value));
        return [{ label: field.label, yours: format(value), theirs: format(theirValues.get(name)) }];
      });
    },
  };
}

export type FieldMerge<Values extends object> = ReturnType<typeof createFieldMerge<Values>>;

function plainText(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'boolean') return value ? 'Yes' : 'No';
  return Array.isArray(value) ? value.map(plainText).join(', ') : String(value);
}

export type Merged<Value> = { value: Value; isConflict: boolean };

export type Sides<Value> = { base: Value; mine: Value; theirs: Value };

/**
 * Merges three versions. Additions and removals of list items on both sides apply; of other values, the changed side
 * wins.
 */
export function mergeValue<Value>({ base, mine, theirs }: Sides<Value>): Merged<Value> {
  if (isSameValue(mine, theirs) || isSameValue(mine, base)) return { value: theirs, isConflict: false };
  if (isSameValue(theirs, base)) return { value: mine, isConflict: false };
  if (Array.isArray(base) && Array.isArray(mine) && Array.isArray(theirs)) return mergeLists({ base, mine, theirs });
  return { value: mine, isConflict: true };
}

export function mergeCommaList({ base, mine, theirs }: Sides<string>): Merged<string> {
  if (isSameCommaList(mine, theirs) || isSameCommaList(mine, base)) return { value: theirs, isConflict: false };
  const merged = mergeLists({ base: splitItems(base), mine: splitItems(mine), theirs: splitItems(theirs) });
  return { ...merged, value: merged.value.join(', ') };
}

function isSameCommaList(a: string, b: string): boolean {
  return isSameValue(splitItems(a), splitItems(b));
}

/** Compares values as the server stores them: trimmed and in NFC, lists of ids or strings in any order. */
export function isSameValue(a: unknown, b: unknown): boolean {
  return toKey(a) === toKey(b);
}

const splitItems = (text: string) =>
  text
    .split(',')
    .map((item) => item.trim())
    .filter(Boolean);

function toKey(value: unknown): string {
  return JSON.stringify(canonicalize(value)) ?? 'undefined';
}

function canonicalize(value: unknown): unknown {
  if (typeof value === 'string') return toNormalForm(value, 'NFC').trim().replaceAll('\r\n', '\n');
  if (Array.isArray(value)) {
    const items = value.map(canonicalize);
    return items.every((item) => typeof item === 'string') ? items.sort() : items;
  }
  if (!isRecord(value)) return value;
  const names = Object.keys(value).sort();
  return names.map((name) => [name, canonicalize(value[name])]);
}

function subtract<Item>(a: readonly Item[], b: readonly Item[]): Item[] {
  const counts = new Map<string, number>();
  for (const item of b) counts.set(toKey(item), (counts.get(toKey(item)) ?? 0) + 1);
  return a.filter((item) => {
    const count = counts.get(toKey(item)) ?? 0;
    counts.set(toKey(item), count - 1);
    return count <= 0;
  });
}

function mergeLists<Value>({ base, mine, theirs }: Sides<Value>): Merged<Value>;
function mergeLists<Item>({ base, mine, theirs }: Sides<Item[]>): Merged<Item[]> {
  const removed = { mine: subtract(base, mine), theirs: subtract(base, theirs) };
  const added = { mine: subtract(subtract(mine, base), subtract(theirs, base)), theirs: subtract(theirs, base) };
  const value = isReordered(mine, base)
    ? insertAll(subtract(mine, removed.theirs), subtract(added.theirs, mine), theirs)
    : insertAll(subtract(theirs, removed.mine), added.mine, mine);
  // A changed row reads as one removed and one added: two changes of the same row are a conflict.
  const isConflict =
    isRows(base) &&
    added.mine.length > 0 &&
    added.theirs.length > 0 &&
    subtract(removed.mine, removed.theirs).length < removed.mine.length;
  return { value, isConflict };
}

function isReordered<Item>(a: readonly Item[], b: readonly Item[]): boolean {
  const keysWithout = (list: readonly Item[], removed: readonly Item[]) => subtract(list, removed).map(toKey).join();
  return keysWithout(a, subtract(a, b)) !== keysWithout(b, subtract(b, a));
}

const isRows = (list: readonly unknown[]) => list.some(isRecord);

function insertAll<Item>(list: readonly Item[], items: readonly Item[], order: readonly Item[]): Item[] {
  const result = [...list];
  for (const item of items) {
    const precedingKeys = order.slice(0, order.indexOf(item)).map(toKey);
    const index = result.findLastIndex((a) => precedingKeys.includes(toKey(a)));
    result.splice(index + 1, 0, item);
  }
  return result;
}
