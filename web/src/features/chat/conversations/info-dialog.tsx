import type { Conversation } from '@atrium/proto-events/http/chat/conversations';
import { useState } from 'react';
import { useConversation } from '#entities/conversation/use-conversations.ts';
import { AddUsers } from '#entities/user/add-users.tsx';
import { Stack } from '#ui/layout/primitives.ts';
import { Notice } from '#ui/notice.tsx';
import { Dialog } from '#ui/overlays/dialog.tsx';
import { DialogBody } from '#ui/overlays/dialog-parts.ts';
import { Tabs } from '#ui/pages/tabs.tsx';
import { ConversationFiles } from '../files/conversation-files.tsx';
import { ConversationLinks } from '../files/conversation-links.tsx';
import { LeaveAction } from './leave-or-delete.tsx';
import { ConversationParticipants } from './participants/conversation-participants.tsx';
import { MemberGroups } from './participants/member-groups.tsx';
import { showMembershipToast } from './participants/membership-toasts.ts';
import { RenameField } from './rename-field.tsx';
import { useConversationActions } from './use-conversation-actions.ts';

type Props = { conversation: Conversation; onClose: () => void; onLeft: () => void };

export function InfoDialog({ conversation, onClose, onLeft }: Props) {
  const { purpose, description, type } = conversation;
  const [selectedTab, setSelectedTab] = useState<'people' | 'files' | 'links'>('people');
  return (
    <Dialog
      onClose={onClose}
      title={type === 'project' ? 'Project Chat Info' : 'Group Chat Info'}
      description={purpose || description}
      isDismissable
    >
      <DialogBody>
        <Tabs
          label="About this conversation"
          items={[
            { key: 'people', label: 'People', content: <People conversation={conversation} onLeft={onLeft} /> },
            { key: 'files', label: 'Files', content: <ConversationFiles conversationId={conversation._id} /> },
            { key: 'links', label: 'Links', content: <ConversationLinks conversationId={conversation._id} /> },
          ]}
          selected={selectedTab}
          onSelect={setSelectedTab}
        />
      </DialogBody>
    </Dialog>
  );
}

function People({ conversation, onLeft }: Pick<Props, 'conversation' | 'onLeft'>) {
  const { abilities } = conversation;
  // List items include only some participants.
  const fullConversation = useConversation(conversation._id).data ?? conversation;
  return (
    <Stack $gap={4}>
      {abilities.rename && <RenameField conversation={conversation} />}
      {!abilities.addPeople && <Notice>You don't have permission to manage this conversation.</Notice>}
      {abilities.addPeople && <AddParticipants conversation={fullConversation} />}
      <MemberGroups conversation={fullConversation} />
      <ConversationParticipants conversation={fullConversation} />
      {abilities.leave && <LeaveAction conversation={fullConversation} onLeft={onLeft} />}
    </Stack>
  );
}

function AddParticipants({ conversation }: { conversation: Conversation }) {
  const { addParticipant } = useConversationActions();
  return (
    <AddUsers
      label="Add members"
      draftKey={`conversation:${conversation._id}:people`}
      excludedIds={conversation.participants.map(({ _id }) => _id)}
      add={(id) => addParticipant(conversation._id, id)}
      onAdded={(users) => showMembershipToast('added to', users)}
      failure="Failed to add participant"
    />
  );
}

export function FilesDialog({ conversation: { _id }, onClose }: Omit<Props, 'onLeft'>) {
  const [selectedTab, setSelectedTab] = useState<'files' | 'links'>('files');
  return (
    <Dialog onClose={onClose} title="Files and links" isDismissable>
      <DialogBody>
        <Tabs
          label="About this conversation"
          items={[
            { key: 'files', label: 'Files', content: <ConversationFiles conversationId={_id} /> },
            { key: 'links', label: 'Links', content: <ConversationLinks conversationId={_id} /> },
          ]}
          selected={selectedTab}
          onSelect={setSelectedTab}
        />
      </DialogBody>
    </Dialog>
  );
}
