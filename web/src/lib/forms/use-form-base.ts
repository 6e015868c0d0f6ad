import { useEffect, useState } from 'react';
import type { FieldPath, FieldValues, UseFormReturn } from 'react-hook-form';
import type { FieldMerge } from './field-texts.ts';
import { isSameValue } from './merge-values.ts';

/** A form that can be reset to new values. */
export type Refillable<Values> = {
  formState: { isDirty: boolean; isSubmitting: boolean };
  reset: (values: Values, options?: { keepDirtyValues?: boolean; keepDirty?: boolean }) => void;
};

type Form<Values, Base> = { valuesOf: (resource: Base) => Values; fields: FieldMerge<Values & object> };

/**
 * The resource that a form was filled from, whose version is sent with the save, and a conflicting save by another
 * user. `FormNotices` shows the conflict.
 */
export function useFormBase<Resource extends { version: number }, Values extends FieldValues>(
  loaded: Resource,
  { valuesOf, fields }: Form<Values, Resource>,
) {
  const [base, rebaseOn] = useState(loaded);
  const [theirs, setTheirs] = useState<Resource>();
  return {
    base,
    theirs,
    rebaseOn,
    valuesOf,
    /** Shows a conflict. The form contains the merged values, and the next save is based on the current version. */
    meet<Out>(current: Resource, form: UseFormReturn<Values, unknown, Out>): void {
      const sides = { base: valuesOf(base), mine: form.getValues(), theirs: valuesOf(current) };
      const { values } = fields.merge(sides);
      form.reset(sides.theirs, { keepDirtyValues: true });
      for (const [name, value] of Object.entries(values))
        if (!isSameValue(value, sides.mine[name]) || !isSameValue(value, sides.theirs[name]))
          form.setValue(name as FieldPath<Values>, value, { shouldDirty: true });
      rebaseOn(current);
      setTheirs(current);
    },
    /** A restored draft predates the base: the same conflict. */
    meetBase: () => setTheirs(base),
    /** Keeps what was typed; the next save is based on their version. */
    keepMine: () => setTheirs(undefined),
    takeTheirs(form: Refillable<Values>): void {
      form.reset(valuesOf(base));
      setTheirs(undefined);
    },
  };
}

type Base<Resource extends { version: number }, Values extends FieldValues> = ReturnType<
  typeof useFormBase<Resource, Values>
>;

/**
 * Follows saves of others while the form is unchanged; afterwards they are conflicts on save. Changes within the same
 * version, such as a renamed department, never conflict.
 */
export function useRebase<Resource extends { version: number }, Values extends FieldValues>(
  loaded: Resource,
  { base, rebaseOn, valuesOf }: Base<Resource, Values>,
  { formState, reset }: Refillable<Values>,
): void {
  const isNewer = loaded.version > base.version && !formState.isDirty;
  const isRenamed =
    loaded.version === base.version && loaded !== base && !isSameValue(valuesOf(loaded), valuesOf(base));
  const isFollowing = (isNewer || isRenamed) && !formState.isSubmitting;
  useEffect(() => {
    if (!isFollowing) return;
    reset(valuesOf(loaded), { keepDirtyValues: true, keepDirty: true });
    rebaseOn(loaded);
  }, [isFollowing, loaded, reset, valuesOf, rebaseOn]);
}
