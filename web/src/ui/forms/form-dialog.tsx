import { type ReactNode, useId } from 'react';
import { useCloseDialog, useUnsavedChanges } from '#lib/forms/unsaved-changes.ts';
import { Button } from '../button.tsx';
import { Text } from '../layout/primitives.ts';
import { Dialog } from '../overlays/dialog.tsx';
import { DialogBody, DialogFooter } from '../overlays/dialog-parts.ts';
import type { ModalFrameProps } from '../overlays/modal-frame.tsx';
import { FormNotices, type ResourceForm } from './form-notices.tsx';

type DialogFormProps = {
  form: ResourceForm;
  resourceLabel?: string;
  action: string;
  busyAction?: string;
  isLocked?: boolean;
  heading?: string;
  children: ReactNode;
};

export function DialogFormBody({
  form: resourceForm,
  resourceLabel,
  heading,
  isLocked = false,
  children,
  ...footer
}: DialogFormProps) {
  const { form, conflict, submit } = resourceForm;
  const headingId = useId();
  useUnsavedChanges(form.hasUnsavedChanges);
  return (
    <form onSubmit={(event) => void submit(event)} noValidate aria-labelledby={heading && headingId}>
      {/* A locked form has no focusable field, so the body itself must be focusable to scroll by keyboard. */}
      <DialogBody tabIndex={isLocked ? 0 : undefined}>
        {heading && (
          <Text as="h3" $tone="text2" id={headingId}>
            {heading}
          </Text>
        )}
        <FormNotices form={resourceForm} resourceLabel={resourceLabel} />
        {children}
      </DialogBody>
      <FormFooter {...footer} isBusy={form.formState.isSubmitting} isDisabled={isLocked || conflict !== undefined} />
    </form>
  );
}

type FooterProps = Pick<DialogFormProps, 'action' | 'busyAction'> & { isBusy: boolean; isDisabled?: boolean };

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

type Props = Pick<ModalFrameProps, 'title' | 'description' | 'width' | 'onClose'> & DialogFormProps;

export function FormDialog({ title, description, width, onClose, ...form }: Props) {
  return (
    <Dialog onClose={onClose} title={title} description={description} {...(width && { width })}>
      <DialogFormBody {...form} />
    </Dialog>
  );
}
