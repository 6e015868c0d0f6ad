import type { ReactNode } from 'react';
import type { FieldValues } from 'react-hook-form';
import { DraftNotice } from '../draft-notice.tsx';
import { FormFooter } from '../form-footer.tsx';
import { DialogBody } from '../overlays/dialog-parts.ts';
import { FormFailure } from './form-failure.tsx';
import type { useCreateForm } from './use-create-form.ts';

type Props<Values extends FieldValues, Out> = {
  /** Of `useCreateForm`. */
  of: Pick<ReturnType<typeof useCreateForm<Values, Out, unknown>>, 'form' | 'draft' | 'submit'>;
  /** The verb on the button that submits, and its label while that is in progress, if another. */
  action: string;
  busyAction?: string;
  children: ReactNode;
};

/** A form in a dialog by which something is created: why that failed and what was restored, above its fields. */
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
