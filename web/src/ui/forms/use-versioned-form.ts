import { useState } from 'react';
import type { DefaultValues, FieldErrors, FieldPath, FieldValues, UseFormReturn } from 'react-hook-form';
import type { ZodType } from 'zod';
import { showFieldErrors } from '#lib/api/server-errors.ts';
import { createFieldMerge, type FieldTexts } from '#lib/forms/field-texts.ts';
import { formResolver } from '#lib/forms/form-resolver.ts';
import { isSameValue } from '#lib/forms/merge-values.ts';
import { saveMerged } from '#lib/forms/save-merged.ts';
import { useEntryForm } from '#lib/forms/use-entry-form.ts';
import { useFormBase, useRebase } from '#lib/forms/use-form-base.ts';
import { useStoredDraft } from '#lib/forms/use-stored-draft.ts';
import { showSuccess } from '../../ui/overlays/toast.ts';
import { reportFailure } from '../overlays/show-error-toast.ts';

type Options<Resource, Values extends FieldValues, Out, Saved> = {
  /** The currently loaded resource. */
  resource: Resource;
  /** The form values of the resource; must be a stable reference. The server reports errors under the same names. */
  valuesOf: (resource: Resource) => NoInfer<Values>;
  /** The label of each field, to show both versions of a conflict. */
  fields: FieldTexts<NoInfer<Values>>;
  /** A function where rules compare with the version that the save is based on. */
  schema: ZodType<Out, Values> | ((base: Resource) => ZodType<Out, Values>);
  /** Where the draft is stored on the device, such as `project:<id>`. */
  draft?: string;
  /** Leaving asks for no confirmation. */
  isShortLived?: boolean;
  /** Sends the version along. */
  save: (body: Out, version: number) => Promise<Saved>;
  /** Texts of the toasts; no success toast where the result is visible. */
  messages: { saved?: string; failed: string };
  /** A form that stays open calls `continueFrom` with the saved resource, which keeps later input. */
  onSaved: (saved: Saved | Resource, continueFrom: (resource: Resource) => void) => void;
  /** Shows a failure other than a version conflict elsewhere; returns whether it did. */
  onFailure?: (error: unknown, form: UseFormReturn<Values, unknown, Out>) => boolean;
  onInvalid?: (errors: FieldErrors<Values>) => void;
};

/**
 * A form for a resource that others may edit concurrently: it follows their saves while unchanged, and sends the
 * version that it is based on. Against a newer version it is merged by field; `FormNotices` shows a conflict.
 */
export function useVersionedForm<Resource extends { version: number }, Values extends FieldValues, Out, Saved>(
  options: Options<Resource, Values, Out, Saved>,
) {
  const { resource, valuesOf, schema, save, messages, isShortLived = false } = options;
  const [fields] = useState(() => createFieldMerge<Values>(options.fields));
  const editing = useFormBase<Resource, Values>(resource, { valuesOf, fields });
  const { base, theirs, rebaseOn } = editing;
  const schemaFor = (one: Resource) => (typeof schema === 'function' ? schema(one) : schema);
  const form = useEntryForm<Values, unknown, Out>({
    resolver: formResolver(schemaFor(base)),
    defaultValues: valuesOf(resource) as DefaultValues<Values>,
    isShortLived,
  });
  const draft = useStoredDraft(form, options.draft, { onConflict: editing.meetBase, merge: fields.mergeField });
  useRebase(resource, editing, form);

  const submit = form.handleSubmit(async (body) => {
    const sent = form.getValues();
    const continueFrom = (saved: Resource) => {
      rebaseOn(saved);
      resetKeepingEdits(form, { sent, saved: valuesOf(saved) });
    };
    try {
      const result = await saveMerged({ body, values: sent, base }, { save, valuesOf, schemaFor, fields });
      if ('conflict' in result) return editing.meet(result.conflict, form);
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
    onKeepMine: editing.keepMine,
    onTakeTheirs: () => editing.takeTheirs(form),
  };
  return { form, control: form.control, base, conflict, draft, submit };
}

function resetKeepingEdits<Values extends FieldValues, Out>(
  form: UseFormReturn<Values, unknown, Out>,
  { sent, saved }: { sent: Values; saved: Values },
): void {
  const typedSince = Object.entries(form.getValues()).filter(([name, value]) => !isSameValue(sent[name], value));
  form.reset(saved);
  for (const [name, value] of typedSince) form.setValue(name as FieldPath<Values>, value, { shouldDirty: true });
}
