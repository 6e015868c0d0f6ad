import { type ReactNode, useId } from 'react';
import type { FieldValues } from 'react-hook-form';
import { styled } from 'styled-components';
import { DialogBody } from '../../ui/overlays/dialog-parts.ts';
import { theme } from '../../ui/theme.ts';
import { FormFooter } from '../form-footer.tsx';
import { EditNotices, type NoticeProps } from './edit-notices.tsx';

type Props<Resource extends { version: number }, Values extends FieldValues, Out> = NoticeProps<
  Resource,
  Values,
  Out
> & {
  /** The verb on the button that submits, and the same while it is under way where the product says it differently. */
  action: string;
  busyAction?: string;
  /** There is nothing that may be changed. */
  isLocked?: boolean;
  /** Names the form, above all else. */
  heading?: string;
  children: ReactNode;
};

/** A versioned form in a dialog: what is to be known above its fields, and no save before the choice that a conflict asks for. */
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
      {/* Locked, it holds nothing else that a keyboard could go to and scroll it from. */}
      <DialogBody tabIndex={isLocked ? 0 : undefined}>
        {heading && <Heading id={headingId}>{heading}</Heading>}
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

const Heading = styled.h3`
  color: ${theme.color.text2};
`;
