import type { Message } from '@atrium/proto-events/http/chat-messages';
import { ConfirmDialog } from '../../../ui/overlays/confirm-dialog.tsx';
import { removeMessage } from './message-actions.ts';

type Props = { message: Message; onDone: () => void; onClose: () => void };

export function DeleteMessageDialog({ message, onDone, onClose }: Props) {
  return (
    <ConfirmDialog
      isOpen
      onClose={onClose}
      onConfirm={() => removeMessage(message).then(onDone)}
      title="Delete message"
      action="Delete"
      failure="Failed to delete message"
    >
      Delete this message? This cannot be undone.
    </ConfirmDialog>
  );
}
