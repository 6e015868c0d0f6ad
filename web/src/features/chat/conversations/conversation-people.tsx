import type { Conversation } from '@atrium/proto-events/http/chat';
import { isolate } from '@atrium/proto-events/text/isolate';
import { useRef } from 'react';
import { displayName, roleLabel } from '#entities/user/person.ts';
import { PersonList, PersonRow, type RowProps } from '#entities/user/person-list.tsx';
import { usePresence } from '#entities/user/presence.ts';
import { useInView } from '#lib/hooks/use-in-view.ts';
import { useCurrentUser } from '#lib/session/session.ts';
import { FormFailure } from '#ui/notice.tsx';
import { showSuccess } from '#ui/overlays/toast.ts';
import { useAction } from '#ui/overlays/use-action.ts';
import { useConversationActions } from './use-conversation-actions.ts';

export function ConversationPeople({ conversation }: { conversation: Conversation }) {
  const me = useCurrentUser()._id;
  const { run: remove, inFlight: leavingIds, failure } = useRemoving(conversation._id);
  const { participants, createdBy, abilities, project } = conversation;
  return (
    <>
      <FormFailure failure={failure} />
      <PersonList label="Participants">
        {participants.map((person) => {
          const isMe = person._id === me;
          const isCreator = person._id === createdBy?._id;
          const isManager = person._id === project?.projectManager;
          const canRemove = abilities.manageParticipants && !isCreator && !isMe;
          return (
            <ParticipantRow
              key={person._id}
              person={person}
              notes={[roleLabel(person.role), isMe && 'You', isCreator && 'Creator', isManager && 'Manager']}
              onRemove={canRemove ? () => void remove(person._id, displayName(person)) : undefined}
              isRemoving={leavingIds.includes(person._id)}
            />
          );
        })}
      </PersonList>
    </>
  );
}

type ParticipantProps = Pick<RowProps, 'notes' | 'onRemove' | 'isRemoving'> & {
  person: Conversation['participants'][number];
};

/** Channels can be large, so presence is requested only for visible participants. */
function ParticipantRow(props: ParticipantProps) {
  const row = useRef<HTMLLIElement>(null);
  const isSeen = useInView(row);
  const presenceOf = usePresence(isSeen ? [props.person] : []);
  return <PersonRow {...props} ref={row} presence={presenceOf(props.person)} />;
}

function useRemoving(conversation: string) {
  const { removePerson } = useConversationActions();
  return useAction(async (id: string, name: string) => {
    await removePerson(conversation, id);
    showSuccess(`${isolate(name)} removed from the conversation`);
  }, 'Failed to remove participant');
}
