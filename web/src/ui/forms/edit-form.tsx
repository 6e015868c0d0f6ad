import { type ReactNode, useId } from 'react';
import type { FieldValues } from 'react-hook-form';
import { DialogBody } from '../../ui/overlays/dialog-parts.ts';
import { FormFooter } from '../form-footer.tsx';
import { Text } from '../layout/primitives.ts';
import { EditNotices, type NoticeProps } from './edit-notices.tsx';

type Props<Resource extends { version: number }, Values extends FieldValues, Out> = NoticeProps<
  Resource,
  Values,
  Out
> & {
  /** The label of the submit button, and its label while busy, if different. */
  action: string;
  busyAction?: string;
  /** Nothing can be changed. */
  isLocked?: boolean;
  /** A heading above everything else. */
  heading?: string;
  children: ReactNode;
};

/** A versioned form in a dialog, with notices above its fields; a conflict must be resolved before saving. */
export function EditForm<Resource extends { version: number }, Values extends FieldValues, Out>({
  of,
  what,
  heading,
  isLocked = false,
  children,
  ...foot
}: Props<Resource, Values, Out>) {
  const headingId = useId();
  return (
    <form onSubmit={(event) => void of.submit(event)} noValidate aria-labelledby={heading && headingId}>
      {/* Locked, it has no other focusable element to scroll it by keyboard. */}
      <DialogBody tabIndex={isLocked ? 0 : undefined}>
        {heading && (
          <Text as="h3" $tone="text2" id={headingId}>
            {heading}
          </Text>
        )}
        <EditNotices of={of} what={what} />
        {children}
      </DialogBody>
      <FormFooter
        {...foot}
        isBusy={of.form.formState.isSubmitting}
        isDisabled={isLocked || of.editing.theirs !== undefined}
      />
    </form>
  );
}
