import type { Conversation } from '@atrium/proto-events/http/chat';
import { displayName, roleLabel } from '../../../entities/person/person.ts';
import { PersonList, PersonRow } from '../../../entities/person/person-list.tsx';
import { useIsOnline } from '../../../entities/person/presence.ts';
import { useCurrentUser } from '../../../lib/session/use-session.ts';
import { showSuccess } from '../../../ui/overlays/toast.ts';
import { useAction } from '../../../ui/overlays/use-action.ts';
import { useConversationActions } from './use-conversation-actions.ts';

/** Who takes part. Neither the creator nor oneself can be removed (specification, section 6). */
export function ConversationPeople({ conversation }: { conversation: Conversation }) {
  const me = useCurrentUser()._id;
  const { run: remove, underWay: leavingIds } = useRemoving(conversation._id);
  const { participants, createdBy, abilities, project } = conversation;
  const isOnline = useIsOnline(participants);
  return (
    <PersonList label="Participants">
      {participants.map((person) => {
        const isMe = person._id === me;
        const isCreator = person._id === createdBy?._id;
        const isManager = person._id === project?.projectManager;
        const canRemove = abilities.manageParticipants && !isCreator && !isMe;
        return (
          <PersonRow
            key={person._id}
            person={person}
            presence={isOnline(person) ? 'online' : 'offline'}
            notes={[roleLabel(person.role), isMe && 'You', isCreator && 'Creator', isManager && 'Manager']}
            onRemove={canRemove ? () => void remove(person._id, displayName(person)) : undefined}
            isRemoving={leavingIds.includes(person._id)}
          />
        );
      })}
    </PersonList>
  );
}

function useRemoving(conversation: string) {
  const { removePerson } = useConversationActions();
  return useAction(async (id: string, name: string) => {
    await removePerson(conversation, id);
    showSuccess(`${name} removed from the conversation`);
  }, 'Failed to remove participant');
}
