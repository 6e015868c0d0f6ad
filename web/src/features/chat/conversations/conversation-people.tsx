import type { Conversation } from '@atrium/proto-events/http/chat';
import type { UserSummary } from '@atrium/proto-events/people';
import { useState } from 'react';
import { displayName, roleLabel } from '../../../entities/person/person.ts';
import { PersonList, PersonRow } from '../../../entities/person/person-list.tsx';
import { useIsOnline } from '../../../entities/person/presence.ts';
import { useCurrentUser } from '../../../lib/session/use-session.ts';
import { showFailure } from '../../../ui/overlays/show-failure.ts';
import { showSuccess } from '../../../ui/overlays/toast.ts';
import { useConversationActions } from './use-conversation-actions.ts';

/** Who takes part. Neither the creator nor oneself can be removed (specification, section 6). */
export function ConversationPeople({ conversation }: { conversation: Conversation }) {
  const me = useCurrentUser()._id;
  const { remove, leavingIds } = useRemoving(conversation._id);
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
            onRemove={canRemove ? () => void remove(person) : undefined}
            isRemoving={leavingIds.includes(person._id)}
          />
        );
      })}
    </PersonList>
  );
}

function useRemoving(conversation: string) {
  const { removePerson } = useConversationActions();
  const [leavingIds, setLeavingIds] = useState<readonly string[]>([]);
  const remove = async (person: UserSummary) => {
    setLeavingIds((before) => [...before, person._id]);
    try {
      await removePerson(conversation, person._id);
      showSuccess(`${displayName(person)} removed from the conversation`);
    } catch (error) {
      showFailure(error, 'Failed to remove participant');
    }
    setLeavingIds((before) => before.filter((id) => id !== person._id));
  };
  return { remove, leavingIds };
}
