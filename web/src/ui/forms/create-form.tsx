import type { ReactNode } from 'react';
import type { FieldValues } from 'react-hook-form';
import { DraftNotice } from '../draft-notice.tsx';
import { FormFooter } from '../form-footer.tsx';
import { DialogBody } from '../overlays/dialog-parts.ts';
import { FormFailure } from './form-failure.tsx';
import type { useCreateForm } from './use-create-form.ts';

type Props<Values extends FieldValues, Out> = {
  /** From `useCreateForm`. */
  of: Pick<ReturnType<typeof useCreateForm<Values, Out, unknown>>, 'form' | 'draft' | 'submit'>;
  /** The label of the submit button, and its label while busy, if different. */
  action: string;
  busyAction?: string;
  children: ReactNode;
};

/** A form in a dialog that creates something, with failure and draft notices above its fields. */
export function CreateForm<Values extends FieldValues, Out>({ of, children, ...foot }: Props<Values, Out>) {
  const { form, draft, submit } = of;
  return (
    <form onSubmit={(event) => void submit(event)} noValidate>
      <DialogBody>
        <FormFailure failure={form.failure} />
        <DraftNotice draft={draft} />
        {children}
      </DialogBody>
      <FormFooter {...foot} isBusy={form.formState.isSubmitting} />
    </form>
  );
}
