import type { Message } from '@atrium/proto-events/http/chat/messages';
import {
  AlarmClock,
  Bookmark,
  BookmarkX,
  CalendarPlus,
  CornerUpRight,
  Link,
  MailOpen,
  MessageSquareReply,
  Pencil,
  Pin,
  PinOff,
  SmilePlus,
  SquareCheckBig,
  Trash2,
} from 'lucide-react';
import { Suspense, useState } from 'react';
import { styled } from 'styled-components';
import { useKeepMounted } from '#lib/hooks/keep-mounted.ts';
import { lazyNamed } from '#lib/lazy.ts';
import { MenuItem, MenuSurface, type MenuSurfaceProps } from '#ui/overlays/menu.tsx';
import { theme } from '#ui/theme.ts';
import { useCreateFromMessage } from '../creation/create-from-message.ts';
import { togglePin, toggleSaved } from '../pins/toggle-pin.ts';
import { FrequentEmojiButtons } from '../reactions/frequent-emoji-buttons.tsx';

const ForwardDialog = lazyNamed(() => import('../forwarding/forward-dialog.tsx'), 'ForwardDialog');
const ReactionsDialog = lazyNamed(() => import('../reactions/reactions-dialog.tsx'), 'ReactionsDialog');
const ReminderDialog = lazyNamed(() => import('../later/reminder-dialog.tsx'), 'ReminderDialog');

type DialogName = 'forward' | 'remind' | 'reactions';

export type MessageActions = {
  message: Message;
  /** Whether the channel is archived, so that reactions and pins are rejected. */
  isReadOnly: boolean;
  onReply: (() => void) | undefined;
  onCopyLink: () => void;
  onMarkUnread: () => void;
  onEdit: (() => void) | undefined;
  onDelete: (() => void) | undefined;
};

type Props = MessageActions & Pick<MenuSurfaceProps, 'isOpen' | 'onClose' | 'triggerRef'>;

export function MessageMenuItems(props: Props) {
  const { message } = props;
  const [dialog, setDialog] = useState<DialogName>();
  const close = () => setDialog(undefined);
  useKeepMounted(message._id, dialog !== undefined);
  return (
    <>
      <Items {...props} onDialog={setDialog} />
      <Suspense fallback={null}>
        {dialog === 'forward' && <ForwardDialog message={message} onClose={close} />}
        {dialog === 'remind' && <ReminderDialog message={message} onClose={close} />}
        {dialog === 'reactions' && <ReactionsDialog message={message} onClose={close} />}
      </Suspense>
    </>
  );
}

function Items(props: Props & { onDialog: (dialog: DialogName) => void }) {
  const { message, isReadOnly, onReply, onMarkUnread, onCopyLink, onDialog, ...menu } = props;
  const { onEdit, onDelete, ...surface } = menu;
  const creation = useCreateFromMessage();
  const emoji = !isReadOnly && (
    <EmojiRow>
      <FrequentEmojiButtons message={message} onPress={surface.onClose} />
    </EmojiRow>
  );
  return (
    <MenuSurface {...surface} label="Message actions" placement="bottom end" header={emoji}>
      {onReply && (
        <MenuItem icon={<MessageSquareReply />} onAction={onReply}>
          Reply in thread
        </MenuItem>
      )}
      {message.reactions.length > 0 && (
        <MenuItem icon={<SmilePlus />} onAction={() => onDialog('reactions')}>
          View reactions
        </MenuItem>
      )}
      <MenuItem icon={<CornerUpRight />} onAction={() => onDialog('forward')}>
        Forward
      </MenuItem>
      <MenuItem icon={<MailOpen />} onAction={onMarkUnread}>
        Mark as unread
      </MenuItem>
      <MenuItem icon={<Link />} onAction={onCopyLink}>
        Copy link
      </MenuItem>
      <MenuItem icon={message.saved ? <BookmarkX /> : <Bookmark />} onAction={() => void toggleSaved(message)}>
        {message.saved ? 'Remove from saved' : 'Save for later'}
      </MenuItem>
      <MenuItem icon={<AlarmClock />} onAction={() => onDialog('remind')}>
        Remind me about this
      </MenuItem>
      {!isReadOnly && (
        <MenuItem icon={message.pinned ? <PinOff /> : <Pin />} onAction={() => void togglePin(message)}>
          {message.pinned ? 'Unpin' : 'Pin for everyone'}
        </MenuItem>
      )}
      {creation && message.type !== 'system' && (
        <MenuItem icon={<SquareCheckBig />} onAction={() => creation.create('task', message)}>
          Create task
        </MenuItem>
      )}
      {creation?.canSchedule && message.type !== 'system' && (
        <MenuItem icon={<CalendarPlus />} onAction={() => creation.create('meeting', message)}>
          Create meeting
        </MenuItem>
      )}
      {onEdit && (
        <MenuItem icon={<Pencil />} onAction={onEdit}>
          Edit
        </MenuItem>
      )}
      {onDelete && (
        <MenuItem icon={<Trash2 />} tone="danger" onAction={onDelete}>
          Delete
        </MenuItem>
      )}
    </MenuSurface>
  );
}

/** Only on phones, where the bar has no space for it. */
const EmojiRow = styled.div`
  display: none;
  ${theme.media.small} {
    display: flex;
    justify-content: space-between;
    padding-bottom: ${theme.space[1]};
    margin-bottom: ${theme.space[1]};
    border-bottom: 1px solid ${theme.color.line};
  }
`;
