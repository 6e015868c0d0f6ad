import type { Conversation } from '@atrium/proto-events/http/chat';
import { UserPlus } from 'lucide-react';
import { useState } from 'react';
import { styled } from 'styled-components';
import { PeopleField } from '../../../entities/person/people-field.tsx';
import { displayName } from '../../../entities/person/person.ts';
import { useRefresh } from '../../../realtime/use-refresh.ts';
import { Button } from '../../../ui/button.tsx';
import { useAction } from '../../../ui/overlays/use-action.ts';
import { theme } from '../../../ui/theme.ts';
import { tellMembership } from './membership-news.ts';
import { useConversationActions } from './use-conversation-actions.ts';

/** Opens when it is wanted, so that the list of those who are in it stands first. */
export function AddPeople({ conversation }: { conversation: Conversation }) {
  const { addPerson } = useConversationActions();
  const refresh = useRefresh();
  const [isOpen, setOpen] = useState(false);
  const [chosen, setChosen] = useState<string[]>([]);
  const close = () => {
    setOpen(false);
    setChosen([]);
  };
  const { run: add, isBusy } = useAction(async () => {
    const names: string[] = [];
    try {
      for (const id of chosen) {
        const changed = await addPerson(conversation._id, id);
        names.push(displayName(changed.participants.find(({ _id }) => _id === id)));
        // Should a later one fail, trying again is for those who are left.
        setChosen((before) => before.filter((one) => one !== id));
      }
      close();
    } finally {
      tellMembership('added to', names);
      refresh('/chat/conversations');
    }
  }, 'Failed to add participant');
  if (!isOpen)
    return (
      <div>
        <Button icon={<UserPlus />} onPress={() => setOpen(true)}>
          Add participants
        </Button>
      </div>
    );
  return (
    <div>
      <PeopleField
        label="Add participants"
        value={chosen}
        onChange={setChosen}
        without={conversation.participants.map(({ _id }) => _id)}
      />
      <Actions>
        <Button onPress={close}>Cancel</Button>
        <Button variant="primary" onPress={() => void add()} isBusy={isBusy} isDisabled={chosen.length === 0}>
          Add
        </Button>
      </Actions>
    </div>
  );
}

const Actions = styled.div`
  display: flex;
  justify-content: flex-end;
  gap: ${theme.space[2]};
  margin-top: ${theme.space[2]};
`;
