import type { ReactNode } from 'react';
import { Button } from '../button.tsx';
import { FormFailure } from '../forms/form-failure.tsx';
import { CloseOnBack } from './close-on-back.tsx';
import { DialogBody, DialogFooter } from './dialog-parts.ts';
import { ModalFrame } from './modal-frame.tsx';
import { useAction } from './use-action.ts';

type Props = {
  isOpen: boolean;
  onClose: () => void;
  /** Does it and says that it is done. Where it rejects, the dialog stays and says why, as a toast does; else it closes. */
  onConfirm: () => Promise<unknown>;
  title: string;
  children: ReactNode;
  /** The verb on the button. */
  action: string;
  /** The toast's words where the server gave none. */
  failure: string;
  failureTitle?: string;
  isDangerous?: boolean;
};

/** Asks before something that cannot be taken back, and does it; while that is under way it stays. */
export function ConfirmDialog(props: Props) {
  const { isOpen, onClose, onConfirm, title, children, action, failureTitle } = props;
  const { run, isBusy, failure } = useAction(
    async () => {
      await onConfirm();
      onClose();
    },
    props.failure,
    failureTitle,
  );
  return (
    <ModalFrame isOpen={isOpen} onClose={() => isBusy || onClose()} title={title} width="sm" role="alertdialog">
      <CloseOnBack onClose={onClose} />
      <DialogBody>
        {typeof children === 'string' ? <p>{children}</p> : children}
        <FormFailure reason={failure} />
      </DialogBody>
      <DialogFooter>
        <Button onPress={onClose} isDisabled={isBusy}>
          Cancel
        </Button>
        <Button variant={props.isDangerous === false ? 'primary' : 'danger'} onPress={() => void run()} isBusy={isBusy}>
          {action}
        </Button>
      </DialogFooter>
    </ModalFrame>
  );
}
