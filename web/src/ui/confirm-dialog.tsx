import type { ReactNode } from 'react';
import { Button } from './button.tsx';
import { Dialog, DialogBody, DialogFooter } from './dialog.tsx';

type Props = {
  isOpen: boolean;
  onClose: () => void;
  onConfirm: () => void | Promise<void>;
  title: string;
  children: ReactNode;
  /** The verb on the button. */
  action: string;
  isBusy?: boolean;
  isDangerous?: boolean;
};

/** Asks before something that cannot be taken back. */
export function ConfirmDialog(props: Props) {
  const { isOpen, onClose, onConfirm, title, children, action, isBusy = false, isDangerous = true } = props;
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title={title} width="sm" role="alertdialog">
      <DialogBody>{typeof children === 'string' ? <p>{children}</p> : children}</DialogBody>
      <DialogFooter>
        <Button onPress={onClose} isDisabled={isBusy}>
          Cancel
        </Button>
        <Button variant={isDangerous ? 'danger' : 'primary'} onPress={() => void onConfirm()} isBusy={isBusy}>
          {action}
        </Button>
      </DialogFooter>
    </Dialog>
  );
}
