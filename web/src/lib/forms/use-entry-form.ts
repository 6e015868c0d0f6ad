import { toNestErrors } from '@hookform/resolvers';
import { useRef, useState } from 'react';
import {
  type DefaultValues,
  type FieldError,
  type FieldValues,
  type Resolver,
  type UseFormReturn,
  useForm,
} from 'react-hook-form';
import type { ZodType, z } from 'zod';
import { useUnsavedChanges } from './unsaved-changes.ts';

/** A failure that a toast has announced; other places that show its reason must not announce it again. */
export type AnnouncedFailure = { reason: string; isAnnounced: true };

type EntryForm<Values extends FieldValues, Out> = UseFormReturn<Values, unknown, Out> & {
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
 * Errors appear on blur and on submit; concurrent submits are ignored; leaving with changes asks for
 * confirmation unless `isShortLived`.
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

/** Unlike `zodResolver`, shows the message of a union itself, because its members have only zod's own messages. */
export const formResolver =
  <Input extends FieldValues, Output>(schema: z.ZodType<Output, Input>): Resolver<Input, unknown, Output> =>
  async (values, _context, options) => {
    const result = await schema.safeParseAsync(values);
    if (result.success) return { values: result.data, errors: {} };
    const errors: Record<string, FieldError> = Object.create(null);
    for (const { path, message, code } of result.error.issues) errors[path.join('.')] ??= { message, type: code };
    return { values: {}, errors: toNestErrors<Input>(errors, options) };
  };
