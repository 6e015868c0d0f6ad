import type { Conversation } from '@atrium/proto-events/http/chat';
import { styled } from 'styled-components';
import { countOfPeople } from '../../../entities/conversation/conversation.ts';
import { useConversation } from '../../../entities/conversation/use-conversations.ts';
import { Notice } from '../../../ui/notice.tsx';
import { Dialog, DialogBody } from '../../../ui/overlays/dialog.tsx';
import { theme } from '../../../ui/theme.ts';
import { AddPeople } from './add-people.tsx';
import { ConversationPeople } from './conversation-people.tsx';
import { RenameField } from './rename-field.tsx';

type Props = { conversation: Conversation; isOpen: boolean; onClose: () => void };

/** Name and people of a group or project conversation. */
export function InfoDialog({ conversation, isOpen, onClose }: Props) {
  const { abilities, description, type } = conversation;
  // What is listed names some of its people; all of them come with the conversation itself.
  const whole = useConversation(conversation._id).data ?? conversation;
  return (
    <Dialog
      isOpen={isOpen}
      onClose={onClose}
      title={type === 'project' ? 'Project Chat Info' : 'Group Chat Info'}
      description={description}
      isDismissable
    >
      <DialogBody>
        {abilities.rename && <RenameField conversation={conversation} />}
        {!abilities.manageParticipants && <Notice>You don't have permission to manage this conversation.</Notice>}
        {abilities.manageParticipants && <AddPeople conversation={whole} />}
        <section aria-labelledby="chat-info-people">
          <Heading id="chat-info-people">Participants ({countOfPeople(whole)})</Heading>
          <ConversationPeople conversation={whole} />
        </section>
      </DialogBody>
    </Dialog>
  );
}

const Heading = styled.h3`
  font: 500 ${theme.text.sm};
  margin-bottom: ${theme.space[1]};
`;
