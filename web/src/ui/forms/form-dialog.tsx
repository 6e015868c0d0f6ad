import { Dialog } from '../overlays/dialog.tsx';
import type { ModalFrameProps } from '../overlays/modal-frame.tsx';
import { DialogForm, type DialogFormProps } from './dialog-form.tsx';

type Props = Pick<ModalFrameProps, 'title' | 'description' | 'width' | 'onClose'> & DialogFormProps;

/** A dialog that is one form, mounted while it is open. */
export function FormDialog({ title, description, width, onClose, ...form }: Props) {
  return (
    <Dialog onClose={onClose} title={title} description={description} {...(width && { width })}>
      <DialogForm {...form} />
    </Dialog>
  );
}
