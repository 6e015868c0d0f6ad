import { type ClosingQuestion, DISCARD_CHANGES } from '../../lib/forms/unsaved-changes.tsx';
import { Button } from '../button.tsx';
import { DialogBody, DialogFooter } from './dialog-parts.ts';
import { ModalFrame } from './modal-frame.tsx';

type Props = { isOpen: boolean; question?: ClosingQuestion; onKeep: () => void; onDiscard: () => void };

/** Asks before typed text is lost. */
export function DiscardQuestion({ isOpen, question = DISCARD_CHANGES, onKeep, onDiscard }: Props) {
  return (
    <ModalFrame isOpen={isOpen} onClose={onKeep} title={question.title} width="sm" role="alertdialog">
      <DialogBody>
        <p>{question.text}</p>
      </DialogBody>
      <DialogFooter>
        <Button onPress={onKeep} autoFocus>
          {question.keep}
        </Button>
        <Button variant="danger" onPress={onDiscard}>
          {question.discard}
        </Button>
      </DialogFooter>
    </ModalFrame>
  );
}
