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
const ReminderDialog = lazyNamed(() => import('../later/reminder-dialog.tsx'), 'ReminderDialog');

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
  const [isReminding, setReminding] = useState(false);
  const [isForwarding, setForwarding] = useState(false);
  useKeepMounted(message._id, isForwarding || isReminding);
  return (
    <>
      <Items {...props} onRemind={() => setReminding(true)} onForward={() => setForwarding(true)} />
      {isForwarding && (
        <Suspense fallback={null}>
          <ForwardDialog message={message} onClose={() => setForwarding(false)} />
        </Suspense>
      )}
      {isReminding && (
        <Suspense fallback={null}>
          <ReminderDialog message={message} onClose={() => setReminding(false)} />
        </Suspense>
      )}
    </>
  );
}

function Items(props: Props & { onRemind: () => void; onForward: () => void }) {
  const { message, isReadOnly, onReply, onMarkUnread, onCopyLink, onRemind, onForward, ...menu } = props;
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
      <MenuItem icon={<CornerUpRight />} onAction={onForward}>
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
      <MenuItem icon={<AlarmClock />} onAction={onRemind}>
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
