import type { Loss } from '#lib/forms/unsaved-changes.ts';
import { Button } from '../button.tsx';
import { DialogBody, DialogFooter } from './dialog-parts.ts';
import { ModalFrame } from './modal-frame.tsx';

type Props = { isOpen: boolean; loss?: Loss | undefined; onKeep: () => void; onDiscard: () => void };

const CHANGES = { title: 'Discard changes?', keep: 'Keep editing', discard: 'Discard changes' };
const TEXTS: Record<Loss, typeof CHANGES & { text: string }> = {
  page: { ...CHANGES, text: 'Your changes have not been saved.' },
  reload: { ...CHANGES, text: 'The page has to reload, and your changes have not been saved.' },
  elsewhere: {
    title: 'Log out?',
    text: 'Unfinished drafts and uploads, here or in other tabs, will be discarded.',
    keep: 'Stay logged in',
    discard: 'Log out',
  },
};

export function DiscardConfirmation({ isOpen, loss = 'page', onKeep, onDiscard }: Props) {
  const { title, text, keep, discard } = TEXTS[loss];
  return (
    <ModalFrame isOpen={isOpen} onClose={onKeep} title={title} width="sm" role="alertdialog">
      <DialogBody>
        <p>{text}</p>
      </DialogBody>
      <DialogFooter>
        <Button onPress={onKeep} autoFocus>
          {keep}
        </Button>
        <Button variant="danger" onPress={onDiscard}>
          {discard}
        </Button>
      </DialogFooter>
    </ModalFrame>
  );
}
