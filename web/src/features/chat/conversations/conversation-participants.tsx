import type { Conversation } from '@atrium/proto-events/http/chat';
import { isolate } from '@atrium/proto-events/text/isolate';
import { useRef } from 'react';
import { usePresence } from '#entities/user/presence.ts';
import { displayName, roleLabel } from '#entities/user/user-labels.ts';
import { type RowProps, UserRow, UserRows } from '#entities/user/user-rows.tsx';
import { useInView } from '#lib/hooks/use-in-view.ts';
import { useCurrentUser } from '#lib/session/session.ts';
import { FormFailure } from '#ui/notice.tsx';
import { showSuccess } from '#ui/overlays/toast.ts';
import { useAction } from '#ui/overlays/use-action.ts';
import { useConversationActions } from './use-conversation-actions.ts';

export function ConversationParticipants({ conversation }: { conversation: Conversation }) {
  const currentUserId = useCurrentUser()._id;
  const { run: remove, inFlight: leavingIds, failure } = useRemoving(conversation._id);
  const { participants, createdBy, abilities, project } = conversation;
  return (
    <>
      <FormFailure failure={failure} />
      <UserRows label="Participants">
        {participants.map((user) => {
          const isMe = user._id === currentUserId;
          const isCreator = user._id === createdBy?._id;
          const isManager = user._id === project?.projectManager;
          const canRemove = abilities.manageParticipants && !isCreator && !isMe;
          return (
            <ParticipantRow
              key={user._id}
              user={user}
              notes={[roleLabel(user.role), isMe && 'You', isCreator && 'Creator', isManager && 'Manager']}
              onRemove={canRemove ? () => void remove(user._id, displayName(user)) : undefined}
              isRemoving={leavingIds.includes(user._id)}
            />
          );
        })}
      </UserRows>
    </>
  );
}

type ParticipantProps = Pick<RowProps, 'notes' | 'onRemove' | 'isRemoving'> & {
  user: Conversation['participants'][number];
};

/** Channels can be large, so presence is requested only for visible participants. */
function ParticipantRow(props: ParticipantProps) {
  const row = useRef<HTMLLIElement>(null);
  const isSeen = useInView(row);
  const presenceOf = usePresence(isSeen ? [props.user] : []);
  return <UserRow {...props} ref={row} presence={presenceOf(props.user)} />;
}

function useRemoving(conversationId: string) {
  const { removeParticipant } = useConversationActions();
  return useAction(async (id: string, name: string) => {
    await removeParticipant(conversationId, id);
    showSuccess(`${isolate(name)} removed from the conversation`);
  }, 'Failed to remove participant');
}
