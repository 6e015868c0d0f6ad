import type { Conversation } from '@atrium/proto-events/http/chat';
import type { UserSummary } from '@atrium/proto-events/people';
import { UserMinus } from 'lucide-react';
import { useState } from 'react';
import { styled } from 'styled-components';
import { messageOf } from '../../lib/api-error.ts';
import { useCurrentUser } from '../../lib/use-session.ts';
import { useIsOnline } from '../../realtime/presence.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { displayName, roleLabel } from '../../ui/person.ts';
import { theme } from '../../ui/theme.ts';
import { showError, showSuccess } from '../../ui/toast.ts';
import { Tooltip } from '../../ui/tooltip.tsx';
import { useConversationActions } from './use-conversation-actions.ts';

/** Who takes part. Neither the creator nor oneself can be removed (specification, section 6). */
export function ConversationPeople({ conversation }: { conversation: Conversation }) {
  const me = useCurrentUser()._id;
  const isOnline = useIsOnline();
  const { participants, createdBy, abilities, project } = conversation;
  return (
    <List>
      {participants.map((person) => {
        const isCreator = person._id === createdBy?._id;
        const notes = [
          person._id === me && 'You',
          isCreator && 'Creator',
          project?.projectManager === person._id && 'Manager',
        ];
        return (
          <Row key={person._id}>
            <Avatar person={person} presence={isOnline(person) ? 'online' : 'offline'} />
            <Words>
              <strong>{displayName(person)}</strong>
              <small>{[roleLabel(person.role), ...notes].filter(Boolean).join(' · ')}</small>
            </Words>
            {abilities.manageParticipants && !isCreator && person._id !== me && (
              <Remove conversation={conversation._id} person={person} />
            )}
          </Row>
        );
      })}
    </List>
  );
}

function Remove({ conversation, person }: { conversation: string; person: UserSummary }) {
  const { removePerson } = useConversationActions();
  const [isBusy, setBusy] = useState(false);
  const name = displayName(person);
  const remove = async () => {
    setBusy(true);
    try {
      await removePerson(conversation, person._id);
      showSuccess(`${name} removed from the conversation`);
    } catch (error) {
      showError('Error', messageOf(error, 'Failed to remove participant'));
      setBusy(false);
    }
  };
  return (
    <Tooltip text={`Remove ${name}`}>
      <IconButton label={`Remove ${name}`} tone="danger" onPress={() => void remove()} isDisabled={isBusy}>
        <UserMinus />
      </IconButton>
    </Tooltip>
  );
}

const List = styled.ul`
  display: grid;
`;

const Row = styled.li`
  display: flex;
  align-items: center;
  gap: ${theme.space[3]};
  min-height: 52px;
  & + & {
    border-top: 1px solid ${theme.color.line};
  }
`;

const Words = styled.div`
  display: grid;
  flex: 1;
  min-width: 0;
  strong,
  small {
    overflow: hidden;
    text-overflow: ellipsis;
    white-space: nowrap;
  }
  strong {
    font-weight: 500;
  }
  small {
    font: ${theme.text.sm};
    color: ${theme.color.text2};
  }
`;
