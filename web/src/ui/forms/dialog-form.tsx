import { type ReactNode, useId } from 'react';
import { useCloseDialog, useUnsavedChanges } from '#lib/forms/unsaved-changes.tsx';
import { Button } from '../button.tsx';
import { Text } from '../layout/primitives.ts';
import { DialogBody, DialogFooter } from '../overlays/dialog-parts.ts';
import { FormNotices, type ResourceForm } from './form-notices.tsx';

export type DialogFormProps = {
  of: ResourceForm;
  /** What is edited, as in "this project". */
  what?: string;
  /** The label of the submit button, and its label while busy, if different. */
  action: string;
  busyAction?: string;
  /** Nothing can be changed. */
  isLocked?: boolean;
  /** A heading above everything else. */
  heading?: string;
  children: ReactNode;
};

/** A form in a dialog, with notices above its fields; a conflict must be resolved before saving. */
export function DialogForm({ of, what, heading, isLocked = false, children, ...footer }: DialogFormProps) {
  const headingId = useId();
  // The form may be created above its dialog.
  useUnsavedChanges(of.form.hasUnsavedChanges);
  return (
    <form onSubmit={(event) => void of.submit(event)} noValidate aria-labelledby={heading && headingId}>
      {/* Locked, it has no other focusable element to scroll it by keyboard. */}
      <DialogBody tabIndex={isLocked ? 0 : undefined}>
        {heading && (
          <Text as="h3" $tone="text2" id={headingId}>
            {heading}
          </Text>
        )}
        <FormNotices of={of} what={what} />
        {children}
      </DialogBody>
      <FormFooter
        {...footer}
        isBusy={of.form.formState.isSubmitting}
        isDisabled={isLocked || of.conflict !== undefined}
      />
    </form>
  );
}

type FooterProps = Pick<DialogFormProps, 'action' | 'busyAction'> & { isBusy: boolean; isDisabled?: boolean };

/** Cancel, with confirmation after changes, and the submit button. */
export function FormFooter({ action, busyAction = action, isBusy, isDisabled = false }: FooterProps) {
  const close = useCloseDialog();
  return (
    <DialogFooter>
      <Button onPress={close}>Cancel</Button>
      <Button type="submit" variant="primary" isBusy={isBusy} isDisabled={isDisabled}>
        {isBusy ? busyAction : action}
      </Button>
    </DialogFooter>
  );
}
