import type { BaseSyntheticEvent, ReactNode } from 'react';
import { type FieldValues, FormProvider, type UseFormReturn } from 'react-hook-form';
import type { AnnouncedFailure } from '#lib/forms/use-entry-form.ts';
import { Button } from '#ui/button.tsx';
import { FormFailure } from '#ui/notice.tsx';
import { SignedOutFrame } from './login-form.tsx';

type Props<Values extends FieldValues, Out> = {
  form: UseFormReturn<Values, unknown, Out> & { failure: AnnouncedFailure | undefined };
  onSubmit: (event: BaseSyntheticEvent) => Promise<void>;
  action: string;
  busyAction?: string;
  isBusy?: boolean;
  children: ReactNode;
};

/** A form on a screen that needs no sign-in, except `LoginForm`, which loads no form library. */
export function SignedOutForm<Values extends FieldValues, Out>({
  form,
  onSubmit,
  action,
  busyAction = action,
  isBusy = form.formState.isSubmitting,
  children,
}: Props<Values, Out>) {
  return (
    <FormProvider {...form}>
      <SignedOutFrame onSubmit={(event) => void onSubmit(event)} noValidate>
        <FormFailure failure={form.failure} />
        {children}
        <Button type="submit" variant="primary" isFullWidth isBusy={isBusy}>
          {isBusy ? busyAction : action}
        </Button>
      </SignedOutFrame>
    </FormProvider>
  );
}
