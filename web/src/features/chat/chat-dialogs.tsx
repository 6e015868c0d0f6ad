import type { Conversation } from '@atrium/proto-events/http/chat/conversations';
import type { Message } from '@atrium/proto-events/http/chat/messages';
import { Suspense } from 'react';
import { lazyNamed } from '#lib/lazy.ts';

const NewChannelDialog = lazyNamed(() => import('./conversations/new-conversation-dialogs.tsx'), 'NewChannelDialog');
const DirectMessageDialog = lazyNamed(
  () => import('./conversations/new-conversation-dialogs.tsx'),
  'DirectMessageDialog',
);
const BrowseChannelsDialog = lazyNamed(
  () => import('./conversations/channels/browse-channels-dialog.tsx'),
  'BrowseChannelsDialog',
);
const InfoDialog = lazyNamed(() => import('./conversations/info-dialog.tsx'), 'InfoDialog');
const FilesDialog = lazyNamed(() => import('./conversations/info-dialog.tsx'), 'FilesDialog');
const DeleteDialog = lazyNamed(() => import('./conversations/leave-or-delete.tsx'), 'DeleteDialog');

const PinsDialog = lazyNamed(() => import('./pins/pins-dialog.tsx'), 'PinsDialog');
const SavedDialog = lazyNamed(() => import('./pins/saved-dialog.tsx'), 'SavedDialog');

export type DialogName = 'none' | 'channel' | 'direct' | 'browse' | 'saved' | 'pins' | 'info' | 'delete';

type Props = {
  openDialog: DialogName;
  /** The open one. */
  conversation: Conversation | undefined;
  conversations: readonly Conversation[] | undefined;
  onClose: () => void;
  onEnter: (conversation: Pick<Conversation, '_id'>) => void;
  onShow: (message: Message) => void;
  /** The user has left or deleted the conversation. */
  onEnded: (id: string) => void;
};

export function ChatDialogs(props: Props) {
  const { openDialog, conversation, conversations, onClose, onEnter, onShow, onEnded } = props;
  return (
    <Suspense fallback={null}>
      {openDialog === 'channel' && <NewChannelDialog onClose={onClose} onCreated={onEnter} />}
      {openDialog === 'direct' && <DirectMessageDialog onClose={onClose} onStarted={onEnter} />}
      {openDialog === 'browse' && <BrowseChannelsDialog onClose={onClose} onOpen={onEnter} />}
      {openDialog === 'saved' && <SavedDialog conversations={conversations} onOpen={onShow} onClose={onClose} />}
      {openDialog === 'pins' && conversation && (
        <PinsDialog conversation={conversation} onOpen={onShow} onClose={onClose} />
      )}
      {openDialog === 'info' && conversation?.type === 'direct' && (
        <FilesDialog conversation={conversation} onClose={onClose} />
      )}
      {openDialog === 'info' && conversation && conversation.type !== 'direct' && (
        <InfoDialog conversation={conversation} onClose={onClose} onLeft={() => onEnded(conversation._id)} />
      )}
      {openDialog === 'delete' && conversation && (
        <DeleteDialog conversation={conversation} onClose={onClose} onDeleted={() => onEnded(conversation._id)} />
      )}
    </Suspense>
  );
}
