import { type ReactNode, type RefObject, useEffect, useRef } from 'react';
import { Button } from '../button.tsx';
import { CloseOnBack } from '../floating-surface.tsx';
import { FormFailure } from '../notice.tsx';
import { DialogBody, DialogFooter } from './dialog-parts.ts';
import { ModalFrame } from './modal-frame.tsx';
import { showSuccess } from './toast.ts';
import { useAction } from './use-action.ts';

type Props = {
  isOpen?: boolean;
  onClose: () => void;
  /** If it rejects, the dialog stays open and shows the reason. */
  onConfirm: () => Promise<unknown>;
  success?: string;
  title: string;
  children: ReactNode;
  action: string;
  failure: string;
  failureTitle?: string;
  isDangerous?: boolean;
  /** Receives focus if the action removes the element that opened the dialog. */
  focusAfter?: RefObject<HTMLElement | null> | undefined;
};

export function ConfirmDialog(props: Props) {
  const { isOpen = true, onClose, title } = props;
  const isBusy = useRef(false);
  return (
    <ModalFrame isOpen={isOpen} onClose={() => isBusy.current || onClose()} title={title} width="sm" role="alertdialog">
      <CloseOnBack onClose={onClose} />
      <Question {...props} busy={isBusy} />
    </ModalFrame>
  );
}

/** Mounted only while open, so that each opening starts without an earlier failure. */
function Question({ busy, ...props }: Props & { busy: RefObject<boolean> }) {
  const { onClose, onConfirm, success, children, action, failureTitle } = props;
  useFocusAfterClose(props.focusAfter);
  const confirm = async () => {
    busy.current = true;
    try {
      await onConfirm();
      if (success) showSuccess(success);
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

/** Moves focus in the first frame after the dialog has closed and has restored focus. */
function useFocusAfterClose(target: RefObject<HTMLElement | null> | undefined): void {
  useEffect(() => {
    if (!target) return undefined;
    const restore = () => {
      if (document.activeElement === document.body) target.current?.focus({ preventScroll: true });
    };
    return () => void requestAnimationFrame(restore);
  }, [target]);
}
