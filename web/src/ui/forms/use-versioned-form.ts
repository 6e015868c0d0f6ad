import { useState } from 'react';
import type { DefaultValues, FieldErrors, FieldPath, FieldValues, UseFormReturn } from 'react-hook-form';
import type { ZodType } from 'zod';
import { showFieldErrors } from '../../lib/api/server-errors.ts';
import { createFieldMerge, type FieldTexts } from '../../lib/forms/field-texts.ts';
import { formResolver } from '../../lib/forms/form-resolver.ts';
import { isSameValue } from '../../lib/forms/merge-values.ts';
import { saveMerged } from '../../lib/forms/save-merged.ts';
import { useEntryForm } from '../../lib/forms/use-entry-form.ts';
import { useFormBase, useRebase } from '../../lib/forms/use-form-base.ts';
import { useStoredDraft } from '../../lib/forms/use-stored-draft.ts';
import { showSuccess } from '../../ui/overlays/toast.ts';
import { reportFailure } from '../overlays/show-error-toast.ts';

type Options<Resource, Values extends FieldValues, Out, Saved> = {
  /** As it is loaded by now. */
  resource: Resource;
  /** What the form holds of it, of the same identity at each call; the server reports its errors under the same names. */
  valuesOf: (resource: Resource) => NoInfer<Values>;
  /** The label of each field, to show both versions of a conflict. */
  fields: FieldTexts<NoInfer<Values>>;
  /** Where its rules compare with what the save is based on, they are made for that. */
  schema: ZodType<Out, Values> | ((base: Resource) => ZodType<Out, Values>);
  /** Where what is typed is stored on the device, as `project:<id>`. */
  draft?: string;
  /** Nothing is left to be saved: leaving asks no more. */
  isShortLived?: boolean;
  /** Sends the version along. */
  save: (body: Out, version: number) => Promise<Saved>;
  /** What is said; nothing of a save that is seen where it is made. */
  messages: { saved?: string; failed: string };
  /** A form that stays open continues with what was saved; what was typed since stays. */
  onSaved: (saved: Saved | Resource, continueFrom: (resource: Resource) => void) => void;
  /** Shows a failure that is no conflict of versions in a place of this form's own; returns whether it did. */
  onFailure?: (error: unknown, form: UseFormReturn<Values, unknown, Out>) => boolean;
  onInvalid?: (errors: FieldErrors<Values>) => void;
};

/**
 * A form of a resource that others may save at the same time: it follows them while nothing is typed, and sends the version that it is
 * based on. Against a newer version it is merged field by field; what both sides changed is shown by `EditForm` or `EditNotices`.
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
  return { form, control: form.control, editing, base, theirs, draft, submit };
}

/** What `EditForm` and `EditNotices` take. */
export type VersionedForm<Resource extends { version: number }, Values extends FieldValues, Out> = Pick<
  ReturnType<typeof useVersionedForm<Resource, Values, Out, unknown>>,
  'form' | 'editing' | 'draft' | 'submit'
>;

function resetKeepingEdits<Values extends FieldValues, Out>(
  form: UseFormReturn<Values, unknown, Out>,
  { sent, saved }: { sent: Values; saved: Values },
): void {
  const typedSince = Object.entries(form.getValues()).filter(([name, value]) => !isSameValue(sent[name], value));
  form.reset(saved);
  for (const [name, value] of typedSince) form.setValue(name as FieldPath<Values>, value, { shouldDirty: true });
}
