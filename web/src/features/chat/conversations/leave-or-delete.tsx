import type { Conversation } from '@atrium/proto-events/http/chat/conversations';
import { isolate } from '@atrium/proto-events/text/isolate';
import { LogOut } from 'lucide-react';
import { useState } from 'react';
import { conversationName } from '#entities/conversation/conversation.ts';
import { useCurrentUser } from '#lib/session/session.ts';
import { Button } from '#ui/button.tsx';
import { ConfirmDialog } from '#ui/overlays/confirm-dialog.tsx';
import { useConversationActions } from './use-conversation-actions.ts';

type LeaveProps = { conversation: Conversation; onLeft: () => void };

export function LeaveAction({ conversation, onLeft }: LeaveProps) {
  const currentUserId = useCurrentUser()._id;
  const { leave, dropFromList } = useConversationActions();
  const [isConfirming, setConfirming] = useState(false);
  const confirm = async () => {
    await leave(conversation._id, currentUserId);
    onLeft();
    dropFromList(conversation._id);
  };
  return (
    <div>
      <Button icon={<LogOut />} onPress={() => setConfirming(true)}>
        Leave
      </Button>
      <ConfirmDialog
        isOpen={isConfirming}
        onClose={() => setConfirming(false)}
        onConfirm={confirm}
        title={`Leave ${isolate(conversationName(conversation, currentUserId))}`}
        action="Leave"
        failure="Failed to leave the conversation"
      >
        {leaveText(conversation, currentUserId)}
      </ConfirmDialog>
    </div>
  );
}

function leaveText({ type, visibility, createdBy, participants }: Conversation, currentUserId: string): string {
  if (type === 'group' && createdBy?._id === currentUserId && participants.length > 1)
    return 'You will no longer receive its messages. The member who joined first will manage the group.';
  if (visibility === 'public') return 'You will no longer receive its messages. You can join again at any time.';
  return 'You will no longer receive its messages. You can rejoin only if someone adds you.';
}

type DeleteProps = { conversation: Conversation; onClose: () => void; onDeleted: () => void };

export function DeleteDialog({ conversation, onClose, onDeleted }: DeleteProps) {
  const currentUserId = useCurrentUser()._id;
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
      title={`Delete ${isolate(conversationName(conversation, currentUserId))}`}
      action="Delete"
      failure="Could not delete conversation"
      failureTitle="Delete failed"
    >
      Delete this conversation and all messages? This cannot be undone.
    </ConfirmDialog>
  );
}
