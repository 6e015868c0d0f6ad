import type { FieldPath, FieldValues, UseFormReturn } from 'react-hook-form';
import type { ZodType } from 'zod';
import { showFieldErrors } from '#lib/api/server-errors.ts';
import { useEntryForm } from '#lib/forms/use-entry-form.ts';
import { useStoredDraft } from '#lib/forms/use-stored-draft.ts';
import { useIdempotencyKey } from '#lib/hooks/use-idempotency-key.ts';
import { reportFailure, showSuccess } from '../overlays/toast.ts';

type Options<Values extends FieldValues, Out, Created> = {
  schema: ZodType<Out, Values>;
  defaultValues: NoInfer<Values>;
  draft: string;
  create: (body: NoInfer<Out>, idempotencyKey: string) => Promise<Created>;
  messages: { created?: string; failed: string };
  onCreated: (created: Created) => void;
  /** Shows a failure that belongs to no field. Returns whether it did. */
  onFailure?: (error: unknown, form: UseFormReturn<Values, unknown, Out>) => boolean;
};

export function useCreateForm<Values extends FieldValues, Out, Created>(options: Options<Values, Out, Created>) {
  const { schema, defaultValues, messages, onCreated, onFailure } = options;
  const form = useEntryForm({ schema, defaultValues });
  const draft = useStoredDraft(form, options.draft);
  const create = useIdempotencyKey(options.draft, options.create);
  const submit = form.handleSubmit(async (body) => {
    try {
      const created = await create(body);
      if (messages.created) showSuccess(messages.created);
      onCreated(created);
    } catch (error) {
      const isPlaced = showFieldErrors(error, Object.keys(defaultValues) as FieldPath<Values>[], form.setError);
      const isShown = onFailure?.(error, form) ?? false;
      reportFailure({ form, isPlaced: isPlaced || isShown }, error, messages.failed);
    }
  });
  return { form, control: form.control, draft, submit };
}
