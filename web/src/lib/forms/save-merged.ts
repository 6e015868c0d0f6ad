import type { ZodType } from 'zod';
import { getConflict } from '../api/server-errors.ts';
import { type FieldMerge, isSameValue } from './field-merge.ts';

const MAX_ATTEMPTS = 5;

type Attempt<Resource, Values, Out> = { body: Out; values: Values; base: Resource };

type Form<Resource, Values extends object, Out, Saved> = {
  save: (body: Out, version: number) => Promise<Saved>;
  valuesOf: (resource: Resource) => Values;
  schemaFor: (base: Resource) => ZodType<Out, Values>;
  fields: FieldMerge<Values>;
};

/**
 * A version that already contains the changes counts as saved, since an earlier response was lost. Compatible
 * changes are merged and sent again.
 */
export async function saveMerged<Resource extends { version: number }, Values extends object, Out, Saved>(
  first: Attempt<Resource, Values, Out>,
  form: Form<Resource, Values, Out, Saved>,
): Promise<{ saved: Saved | Resource } | { conflict: Resource }> {
  let attempt = first;
  for (let count = 1; ; count += 1) {
    try {
      return { saved: await form.save(attempt.body, attempt.base.version) };
    } catch (error) {
      const current = getConflict<Resource>(error);
      if (!current || count === MAX_ATTEMPTS) throw error;
      if (await isAlreadySaved(attempt, current, form)) return { saved: current };
      const next = await rebase(attempt, current, form);
      if (!next) return { conflict: current };
      attempt = next;
    }
  }
}

async function isAlreadySaved<Resource, Values extends object, Out>(
  { body, values, base }: Attempt<Resource, Values, Out>,
  current: Resource,
  { valuesOf, schemaFor, fields }: Omit<Form<Resource, Values, Out, unknown>, 'save'>,
): Promise<boolean> {
  const theirs = valuesOf(current);
  const merged = fields.merge({ base: valuesOf(base), mine: values, theirs });
  if (fields.differences(merged.values, theirs).length === 0) return true;
  const stored = await schemaFor(base).safeParseAsync(theirs);
  return stored.success && isSameValue(stored.data, body);
}

async function rebase<Resource, Values extends object, Out>(
  { values, base }: Attempt<Resource, Values, Out>,
  current: Resource,
  { valuesOf, schemaFor, fields }: Omit<Form<Resource, Values, Out, unknown>, 'save'>,
): Promise<Attempt<Resource, Values, Out> | undefined> {
  const merged = fields.merge({ base: valuesOf(base), mine: values, theirs: valuesOf(current) });
  if (merged.isConflict) return undefined;
  const parsed = await schemaFor(current).safeParseAsync(merged.values);
  return parsed.success ? { body: parsed.data, values: merged.values, base: current } : undefined;
}
