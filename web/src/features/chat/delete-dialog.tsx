import type { Conversation } from '@atrium/proto-events/http/chat';
import { useState } from 'react';
import { messageOf } from '../../lib/api-error.ts';
import { useCurrentUser } from '../../lib/use-session.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { showError } from '../../ui/toast.ts';
import { conversationName } from './conversation-words.ts';
import { useConversationActions } from './use-conversation-actions.ts';

type Props = { conversation: Conversation; isOpen: boolean; onClose: () => void; onDeleted: () => void };

export function DeleteDialog({ conversation, isOpen, onClose, onDeleted }: Props) {
  const me = useCurrentUser()._id;
  const { remove, dropFromList } = useConversationActions();
  const [isBusy, setBusy] = useState(false);
  const confirm = async () => {
    setBusy(true);
    try {
      await remove(conversation._id);
      onDeleted();
      dropFromList(conversation._id);
    } catch (error) {
      showError('Delete failed', messageOf(error, 'Could not delete conversation'));
      setBusy(false);
    }
  };
  return (
    <ConfirmDialog
      isOpen={isOpen}
      onClose={onClose}
      onConfirm={confirm}
      title={`Delete ${conversationName(conversation, me)}`}
      action="Delete"
      isBusy={isBusy}
    >
      Delete this conversation and all messages? This cannot be undone.
    </ConfirmDialog>
  );
}
