import type { Conversation } from '@atrium/proto-events/http/chat';
import { isolate } from '@atrium/proto-events/text/isolate';
import { conversationName } from '#entities/conversation/conversation.ts';
import { useCurrentUser } from '#lib/session/use-session.ts';
import { ConfirmDialog } from '#ui/overlays/confirm-dialog.tsx';
import { useConversationActions } from './use-conversation-actions.ts';

type Props = { conversation: Conversation; onClose: () => void; onDeleted: () => void };

export function DeleteDialog({ conversation, onClose, onDeleted }: Props) {
  const me = useCurrentUser()._id;
  const { remove, dropFromList } = useConversationActions();
  const confirm = async () => {
    await remove(conversation._id);
    onDeleted();
    dropFromList(conversation._id);
  };
  return (
    <ConfirmDialog
      onClose={onClose}
      onConfirm={confirm}
      title={`Delete ${isolate(conversationName(conversation, me))}`}
      action="Delete"
      failure="Could not delete conversation"
      failureTitle="Delete failed"
    >
      Delete this conversation and all messages? This cannot be undone.
    </ConfirmDialog>
  );
}
