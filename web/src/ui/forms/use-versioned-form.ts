import { useEffect, useState } from 'react';
import type { FieldErrors, FieldPath, FieldValues, UseFormReturn } from 'react-hook-form';
import type { ZodType } from 'zod';
import { showFieldErrors } from '#lib/api/server-errors.ts';
import { createFieldMerge, type FieldMerge, type FieldTexts, isSameValue, type Sides } from '#lib/forms/field-merge.ts';
import { saveMerged } from '#lib/forms/save-merged.ts';
import { useEntryForm } from '#lib/forms/use-entry-form.ts';
import { useStoredDraft } from '#lib/forms/use-stored-draft.ts';
import { reportFailure, showSuccess } from '../overlays/toast.ts';

type Options<Resource, Values extends FieldValues, Out, Saved> = {
  resource: Resource;
  /** The form values of the resource; must be a stable reference. The server reports errors under the same names. */
  valuesOf: (resource: Resource) => NoInfer<Values>;
  fields: FieldTexts<NoInfer<Values>>;
  /** A function if rules depend on the version that the save is based on. */
  schema: ZodType<Out, Values> | ((base: Resource) => ZodType<Out, Values>);
  draft?: string;
  isShortLived?: boolean;
  save: (body: Out, version: number) => Promise<Saved>;
  messages: { saved?: string; failed: string };
  /** A form that stays open calls `continueFrom` with the saved resource, which keeps later input. */
  onSaved: (saved: Saved | Resource, continueFrom: (resource: Resource) => void) => void;
  onFailure?: (error: unknown, form: UseFormReturn<Values, unknown, Out>) => boolean;
  onInvalid?: (errors: FieldErrors<Values>) => void;
};

/** Follows the saves of others while it is unchanged, and otherwise merges its fields with the newer version. */
export function useVersionedForm<Resource extends { version: number }, Values extends FieldValues, Out, Saved>(
  options: Options<Resource, Values, Out, Saved>,
) {
  const { resource, valuesOf, schema, save, messages, isShortLived = false } = options;
  const [fields] = useState(() => createFieldMerge<Values>(options.fields));
  const [base, rebaseOn] = useState(resource);
  /** A conflicting save. The form contains the merged values, and the next save is based on the current version. */
  const [theirs, setTheirs] = useState<Resource>();
  const schemaFor = (version: Resource) => (typeof schema === 'function' ? schema(version) : schema);
  const form = useEntryForm({ schema: schemaFor(base), defaultValues: valuesOf(resource), isShortLived });
  const draft = useStoredDraft(form, options.draft, {
    onConflict: () => setTheirs(base),
    merge: fields.mergeField,
  });
  useRebase({ loaded: resource, base, rebaseOn, valuesOf }, form);

  const submit = form.handleSubmit(async (body) => {
    const sentValues = form.getValues();
    const continueFrom = (saved: Resource) => {
      rebaseOn(saved);
      resetKeepingEdits(form, { sentValues, saved: valuesOf(saved) });
    };
    try {
      const result = await saveMerged({ body, values: sentValues, base }, { save, valuesOf, schemaFor, fields });
      if ('conflict' in result) {
        const current = result.conflict;
        resetToMerged(form, { base: valuesOf(base), mine: form.getValues(), theirs: valuesOf(current) }, fields);
        rebaseOn(current);
        setTheirs(current);
        return;
      }
      if (messages.saved) showSuccess(messages.saved);
      options.onSaved(result.saved, continueFrom);
    } catch (error) {
      const isPlaced = showFieldErrors(error, Object.keys(valuesOf(base)) as FieldPath<Values>[], form.setError);
      const isShown = options.onFailure?.(error, form) ?? false;
      reportFailure({ form, isPlaced: isPlaced || isShown }, error, messages.failed);
    }
  }, options.onInvalid);
  const conflict = theirs && {
    fields: fields.differences(form.getValues(), valuesOf(theirs)),
    onKeepMine: () => setTheirs(undefined),
    onTakeTheirs: () => {
      form.reset(valuesOf(base));
      setTheirs(undefined);
    },
  };
  return { form, control: form.control, base, conflict, draft, submit };
}

type Base<Resource, Values> = {
  loaded: Resource;
  base: Resource;
  rebaseOn: (resource: Resource) => void;
  valuesOf: (resource: Resource) => Values;
};

/** Changes within the same version, such as a renamed department, never conflict. */
function useRebase<Resource extends { version: number }, Values extends FieldValues, Out>(
  { loaded, base, rebaseOn, valuesOf }: Base<Resource, Values>,
  { formState, reset }: UseFormReturn<Values, unknown, Out>,
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

function resetToMerged<Values extends FieldValues, Out>(
  form: UseFormReturn<Values, unknown, Out>,
  sides: Sides<Values>,
  fields: FieldMerge<Values>,
): void {
  const { values } = fields.merge(sides);
  form.reset(sides.theirs, { keepDirtyValues: true });
  for (const [name, value] of Object.entries(values))
    if (!isSameValue(value, sides.mine[name]) || !isSameValue(value, sides.theirs[name]))
      form.setValue(name as FieldPath<Values>, value, { shouldDirty: true });
}

function resetKeepingEdits<Values extends FieldValues, Out>(
  form: UseFormReturn<Values, unknown, Out>,
  { sentValues, saved }: { sentValues: Values; saved: Values },
): void {
  const laterEdits = Object.entries(form.getValues()).filter(([name, value]) => !isSameValue(sentValues[name], value));
  form.reset(saved);
  for (const [name, value] of laterEdits) form.setValue(name as FieldPath<Values>, value, { shouldDirty: true });
}
