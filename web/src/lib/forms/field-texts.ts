import type { ReactNode } from 'react';
import { isSameCommaList, isSameValue, type Merged, mergeCommaList, mergeValue, type Sides } from './merge-values.ts';

type FieldText<Value> = {
  label: string;
  /** How the value reads next to that of another user; by default as is. */
  text?(value: Value): ReactNode;
  /** A list that is typed with commas. */
  isCommaList?: boolean;
};

/**
 * Every field of a versioned form, so that conflicts cover all: a label or a `FieldText`, or null for a value outside
 * of the resource.
 */
export type FieldTexts<Values> = { [Name in keyof Values]-?: string | FieldText<Values[Name]> | null };

/** The label of a selected option. */
export const optionText = (options: readonly { value: string; label: string }[]) => (value: string) =>
  options.find((option) => option.value === value)?.label ?? value;

export type FieldDifference = { label: string; yours: ReactNode; theirs: ReactNode };

type MergedValues<Values> = { values: Values; isConflict: boolean };

export function createFieldMerge<Values extends object>(texts: FieldTexts<Values>) {
  const fields = new Map<string, string | FieldText<unknown> | null>(Object.entries(texts));
  const fieldOf = (name: string) => {
    const field = fields.get(name);
    return field === undefined || typeof field === 'string' ? { label: field ?? name } : field;
  };
  const isList = (name: string, value: unknown) => Array.isArray(value) || fieldOf(name)?.isCommaList === true;
  const isSame = (name: string, one: unknown, other: unknown) => {
    const field = fieldOf(name);
    if (!field) return true;
    return field.isCommaList ? isSameCommaList(String(one), String(other)) : isSameValue(one, other);
  };
  const mergeField = (name: string, sides: Sides<unknown>): Merged<unknown> => {
    const field = fieldOf(name);
    if (!field) return { value: sides.mine, isConflict: false };
    if (!field.isCommaList) return mergeValue(sides);
    return mergeCommaList({ base: String(sides.base), mine: String(sides.mine), theirs: String(sides.theirs) });
  };
  return {
    mergeField,
    /**
     * Merges all fields. A single value that others changed is a conflict even if unchanged here: the rest was typed
     * without knowing of it.
     */
    merge({ base, mine, theirs }: Sides<Values>): MergedValues<Values> {
      const [bases, others] = [
        new Map<string, unknown>(Object.entries(base)),
        new Map<string, unknown>(Object.entries(theirs)),
      ];
      let isConflict = false;
      const values = Object.entries(mine).map(([name, value]: [string, unknown]) => {
        const sides = { base: bases.get(name), mine: value, theirs: others.get(name) };
        const merged = mergeField(name, sides);
        const isTheirs = !isSame(name, sides.theirs, sides.base) && !isSame(name, sides.theirs, value);
        if (merged.isConflict || (isTheirs && !isList(name, value))) isConflict = true;
        return [name, merged.value];
      });
      return { values: { ...mine, ...Object.fromEntries(values) }, isConflict };
    },
    /** The values that differ, in form order, as text. */
    differences(yours: Values, theirs: Values): FieldDifference[] {
      const others = new Map<string, unknown>(Object.entries(theirs));
      return Object.entries(yours).flatMap(([name, value]: [string, unknown]) => {
        const field = fieldOf(name);
        if (!field || isSame(name, value, others.get(name))) return [];
        const read = (one: unknown) => (field.text ? field.text(one) : plainText(one));
        return [{ label: field.label, yours: read(value), theirs: read(others.get(name)) }];
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
