import { useRef, useState } from 'react';
import { type DefaultValues, type FieldValues, type UseFormReturn, useForm } from 'react-hook-form';
import type { ZodType } from 'zod';
import { formResolver } from './form-resolver.ts';
import { useUnsavedChanges } from './unsaved-changes.tsx';

/** A failure that a toast has announced; other places that show its reason must not announce it again. */
export type AnnouncedFailure = { reason: string; isAnnounced: true };

/** A form with the reason of its last failed submission, until the next one. */
export type EntryForm<Values extends FieldValues, Out> = UseFormReturn<Values, unknown, Out> & {
  failure: AnnouncedFailure | undefined;
  setFailure: (failure: AnnouncedFailure | undefined) => void;
  hasUnsavedChanges: boolean;
};

type Options<Values extends FieldValues, Out> = {
  schema: ZodType<Out, Values>;
  defaultValues: NoInfer<Values>;
  isShortLived?: boolean;
};

/**
 * Shared form behavior: errors appear on blur and on submit, which focuses the first; concurrent submits are ignored;
 * leaving with changes asks for confirmation unless `isShortLived`.
 */
export function useEntryForm<Values extends FieldValues, Out>({
  schema,
  defaultValues,
  isShortLived = false,
}: Options<Values, Out>): EntryForm<Values, Out> {
  const form = useForm<Values, unknown, Out>({
    mode: 'onTouched',
    resolver: formResolver(schema),
    defaultValues: defaultValues as DefaultValues<Values>,
  });
  const [failure, setFailure] = useState<AnnouncedFailure>();
  const isSubmitting = useRef(false);
  const hasUnsavedChanges = form.formState.isDirty && !isShortLived;
  useUnsavedChanges(hasUnsavedChanges);
  const handleSubmit: typeof form.handleSubmit = (onValid, onInvalid) => {
    const submit = form.handleSubmit(onValid, onInvalid);
    return (event) => {
      event?.preventDefault();
      if (isSubmitting.current) return Promise.resolve(undefined);
      isSubmitting.current = true;
      setFailure(undefined);
      return submit(event).finally(() => {
        isSubmitting.current = false;
      });
    };
  };
  return { ...form, handleSubmit, failure, setFailure, hasUnsavedChanges };
}
