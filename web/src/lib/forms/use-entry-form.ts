import { useRef, useState } from 'react';
import { type FieldValues, type UseFormProps, type UseFormReturn, useForm } from 'react-hook-form';
import type { AnnouncedFailure } from './announced-failure.ts';
import { useUnsavedChanges } from './unsaved-changes.tsx';

/** A form with the reason of its last failed submission, until the next one. */
export type EntryForm<Values extends FieldValues, Context, Out> = UseFormReturn<Values, Context, Out> & {
  failure: AnnouncedFailure | undefined;
  setFailure: (failure: AnnouncedFailure | undefined) => void;
  hasUnsavedChanges: boolean;
};

/**
 * Shared form behavior: errors appear on blur and on submit, which focuses the first; concurrent submits are ignored;
 * leaving with changes asks for confirmation unless `isShortLived`.
 */
export function useEntryForm<Values extends FieldValues, Context, Out>({
  isShortLived = false,
  ...props
}: UseFormProps<Values, Context, Out> & { isShortLived?: boolean }): EntryForm<Values, Context, Out> {
  const form = useForm<Values, Context, Out>({ mode: 'onTouched', ...props });
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
