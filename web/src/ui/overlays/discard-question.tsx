import { Button } from '../button.tsx';
import { DialogBody, DialogFooter } from './dialog-parts.ts';
import { ModalFrame } from './modal-frame.tsx';

type Props = { isOpen: boolean; onKeep: () => void; onDiscard: () => void };

/** Asks before typed text is lost. */
export function DiscardQuestion({ isOpen, onKeep, onDiscard }: Props) {
  return (
    <ModalFrame isOpen={isOpen} onClose={onKeep} title="Discard changes?" width="sm" role="alertdialog">
      <DialogBody>
        <p>What you changed here has not been saved.</p>
      </DialogBody>
      <DialogFooter>
        <Button onPress={onKeep} autoFocus>
          Keep editing
        </Button>
        <Button variant="danger" onPress={onDiscard}>
          Discard changes
        </Button>
      </DialogFooter>
    </ModalFrame>
  );
}
