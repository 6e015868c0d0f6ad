import { type ReactNode, type RefObject, useEffect, useRef } from 'react';
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
  /** Takes the focus where what opened the question is gone with what it did. */
  focusAfter?: RefObject<HTMLElement | null> | undefined;
};

/** Asks before something that cannot be taken back, and does it; while that is under way it stays. */
export function ConfirmDialog(props: Props) {
  const { isOpen, onClose, title } = props;
  const isBusy = useRef(false);
  return (
    <ModalFrame isOpen={isOpen} onClose={() => isBusy.current || onClose()} title={title} width="sm" role="alertdialog">
      <CloseOnBack onClose={onClose} />
      <Question {...props} busy={isBusy} />
    </ModalFrame>
  );
}

/** Mounted only while the dialog is open, so that each opening starts without the failure of an earlier one. */
function Question({ busy, ...props }: Props & { busy: RefObject<boolean> }) {
  const { onClose, onConfirm, children, action, failureTitle } = props;
  useFocusOnceGone(props.focusAfter);
  const confirm = async () => {
    busy.current = true;
    try {
      await onConfirm();
      onClose();
    } finally {
      busy.current = false;
    }
  };
  const { run, isBusy, failure } = useAction(confirm, props.failure, failureTitle);
  return (
    <>
      <DialogBody>
        {typeof children === 'string' ? <p>{children}</p> : children}
        <FormFailure failure={failure} />
      </DialogBody>
      <DialogFooter>
        <Button onPress={onClose} isDisabled={isBusy}>
          Cancel
        </Button>
        <Button variant={props.isDangerous === false ? 'primary' : 'danger'} onPress={() => void run()} isBusy={isBusy}>
          {action}
        </Button>
      </DialogFooter>
    </>
  );
}

/** After the dialog has tried to give the focus back, which it does in the first frame once it is gone. */
function useFocusOnceGone(target: RefObject<HTMLElement | null> | undefined): void {
  useEffect(() => {
    if (!target) return undefined;
    const restore = () => {
      if (document.activeElement === document.body) target.current?.focus({ preventScroll: true });
    };
    return () => void requestAnimationFrame(restore);
  }, [target]);
}
