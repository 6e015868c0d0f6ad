import { useEffect, useMemo, useRef, useState } from 'react';
import { type DialogClosing, DialogClosingContext } from '#lib/forms/unsaved-changes.ts';
import { CloseOnBack } from '../floating-surface.tsx';
import { DiscardConfirmation } from './discard-confirmation.tsx';
import { ModalFrame, type ModalFrameProps } from './modal-frame.tsx';

/** Every way of closing it asks for confirmation while a form inside has changes (`useUnsavedChanges`). */
export function Dialog({ onClose, isDismissable = true, children, ...rest }: ModalFrameProps) {
  const { closing, isConfirming, stay } = useClosing(onClose);
  const discard = () => {
    stay();
    onClose();
  };
  return (
    <ModalFrame {...rest} onClose={closing.close} isDismissable={isDismissable}>
      <CloseOnBack onClose={discard} />
      <DialogClosingContext value={closing}>{children}</DialogClosingContext>
      <DiscardConfirmation isOpen={isConfirming} onKeep={stay} onDiscard={discard} />
    </ModalFrame>
  );
}

function useClosing(onClose: () => void) {
  const [isConfirming, setConfirming] = useState(false);
  const holdCount = useRef(0);
  const latest = useRef(onClose);
  useEffect(() => {
    latest.current = onClose;
  });
  const closing = useMemo<DialogClosing>(
    () => ({
      hold: () => {
        holdCount.current += 1;
        return () => {
          holdCount.current -= 1;
        };
      },
      close: () => (holdCount.current > 0 ? setConfirming(true) : latest.current()),
    }),
    [],
  );
  return { closing, isConfirming, stay: () => setConfirming(false) };
}
