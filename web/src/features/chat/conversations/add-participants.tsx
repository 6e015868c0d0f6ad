import type { Conversation } from '@atrium/proto-events/http/chat';
import { AddPeople } from '#entities/user/add-people.tsx';
import { useInvalidate } from '#realtime/use-invalidate.ts';
import { showMembershipToast } from './membership-toasts.ts';
import { useConversationActions } from './use-conversation-actions.ts';

export function AddParticipants({ conversation }: { conversation: Conversation }) {
  const { addPerson } = useConversationActions();
  const refresh = useInvalidate();
  return (
    <AddPeople
      label="Add participants"
      place={`conversation:${conversation._id}:people`}
      without={conversation.participants.map(({ _id }) => _id)}
      add={(id) => addPerson(conversation._id, id)}
      onAdded={(people) => {
        showMembershipToast('added to', people);
        refresh('/chat/conversations');
      }}
      failure="Failed to add participant"
    />
  );
}
