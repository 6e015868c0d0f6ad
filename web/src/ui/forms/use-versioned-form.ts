import { zodResolver } from '@hookform/resolvers/zod';
import type { DefaultValues, FieldErrors, FieldPath, FieldValues, UseFormReturn } from 'react-hook-form';
import type { ZodType } from 'zod';
import { conflictOf } from '../../lib/api/conflict.ts';
import { showFieldErrors } from '../../lib/api/server-errors.ts';
import { readsAlike, useBase, useFollowing } from '../../lib/forms/use-base.ts';
import { useEntryForm } from '../../lib/forms/use-entry-form.ts';
import { useStoredDraft } from '../../lib/forms/use-stored-draft.ts';
import { showFailure } from '../../ui/overlays/show-failure.ts';
import { showSuccess } from '../../ui/overlays/toast.ts';

type Options<Resource, Values extends FieldValues, Out, Saved> = {
  /** As it is loaded by now. */
  resource: Resource;
  /** What the form holds of it, of the same identity at each call; the server reports its faults by the same names. */
  valuesOf: (resource: Resource) => NoInfer<Values>;
  /** Where its rules compare with what the save stands on, they are made for that. */
  schema: ZodType<Out, Values> | ((base: Resource) => ZodType<Out, Values>);
  /** Where what is typed is kept on the device, as `project:<id>`. */
  draft?: string;
  /** Nothing is left to be saved: leaving asks no more. */
  isShortLived?: boolean;
  /** Sends the version along. */
  save: (body: Out, version: number) => Promise<Saved>;
  /** What is said; nothing of a save that is seen where it is made. */
  words: { saved?: string; failed: string };
  /** A form that stays open goes on from what was saved; what was typed since stays. */
  onSaved: (saved: Saved, goOnFrom: (resource: Resource) => void) => void;
  /** What this form does besides about a failure that is no conflict of versions. */
  onFailure?: (error: unknown, form: UseFormReturn<Values, unknown, Out>) => void;
  onInvalid?: (errors: FieldErrors<Values>) => void;
};

/**
 * A form of a resource that others may save meanwhile: it follows them while nothing is typed, sends the version that it stands on, and
 * leaves the choice to who met a newer one. `EditForm` or `EditNotices` draw it.
 */
export function useVersionedForm<Resource extends { version: number }, Values extends FieldValues, Out, Saved>(
  options: Options<Resource, Values, Out, Saved>,
) {
  const { resource, valuesOf, schema, save, words, isShortLived = false } = options;
  const editing = useBase<Resource, Values>(resource, valuesOf);
  const { base, theirs, standOn } = editing;
  const form = useEntryForm<Values, unknown, Out>({
    resolver: zodResolver(typeof schema === 'function' ? schema(base) : schema),
    defaultValues: valuesOf(resource) as DefaultValues<Values>,
    isShortLived,
  });
  const draft = useStoredDraft(form, options.draft, editing.meetBase);
  useFollowing(resource, editing, form);

  /** A version counts also what the form does not hold: over what reads alike here nobody is asked. */
  const isAlike = (one: Resource) => readsAlike(valuesOf(one), valuesOf(base));
  const saveOver = async (body: Out) => {
    const isNewer = resource.version > base.version && isAlike(resource);
    try {
      return await save(body, isNewer ? resource.version : base.version);
    } catch (error) {
      const current = conflictOf<Resource>(error);
      if (current && isAlike(current)) return save(body, current.version);
      throw error;
    }
  };
  const submit = form.handleSubmit(async (body) => {
    const sent = form.getValues();
    const goOnFrom = (saved: Resource) => {
      standOn(saved);
      goOn(form, { sent, saved: valuesOf(saved) });
    };
    try {
      const saved = await saveOver(body);
      if (words.saved) showSuccess(words.saved);
      options.onSaved(saved, goOnFrom);
    } catch (error) {
      if (editing.meet(error, form)) return;
      showFieldErrors(error, Object.keys(valuesOf(base)) as FieldPath<Values>[], form.setError);
      showFailure(error, words.failed);
      options.onFailure?.(error, form);
    }
  }, options.onInvalid);
  return { form, control: form.control, editing, base, theirs, draft, submit };
}

/** What `EditForm` and `EditNotices` take. */
export type VersionedForm<Resource extends { version: number }, Values extends FieldValues, Out> = Pick<
  ReturnType<typeof useVersionedForm<Resource, Values, Out, unknown>>,
  'form' | 'editing' | 'draft' | 'submit'
>;

function goOn<Values extends FieldValues, Out>(
  form: UseFormReturn<Values, unknown, Out>,
  { sent, saved }: { sent: Values; saved: Values },
): void {
  const typedSince = Object.entries(form.getValues()).filter(([name, value]) => sent[name] !== value);
  form.reset(saved);
  for (const [name, value] of typedSince) form.setValue(name as FieldPath<Values>, value, { shouldDirty: true });
}
