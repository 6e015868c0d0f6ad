import type { Conversation } from '@atrium/proto-events/http/chat/conversations';
import { isolate } from '@atrium/proto-events/text/isolate';
import {
  Archive,
  ArchiveRestore,
  CalendarDays,
  Eye,
  EyeOff,
  FolderInput,
  MailCheck,
  MailOpen,
  Pin,
  Search,
  Settings2,
  Star,
  StarOff,
} from 'lucide-react';
import { type RefObject, useEffect, useState } from 'react';
import { useCurrentUser } from '#lib/session/session.ts';
import { useUnreadIn } from '#realtime/unread.ts';
import { ConfirmDialog } from '#ui/overlays/confirm-dialog.tsx';
import { MenuChoices, MenuItem, MenuSeparator, MenuSurface, type MenuSurfaceProps } from '#ui/overlays/menu.tsx';
import { showSuccess } from '#ui/overlays/toast.ts';
import { markUnreadFrom } from '../read-receipts/mark-unread.ts';
import { recordRead } from '../read-receipts/record-read.ts';
import { ChannelSettingsDialog } from './channels/channel-settings-dialog.tsx';
import { SectionDialog } from './list/section-dialog.tsx';
import { useConversationActions } from './use-conversation-actions.ts';
import { usePreferences } from './use-preferences.ts';
import { useRestore } from './use-restore.ts';

const NOTIFY_OPTIONS = [
  { value: 'all', label: 'All messages' },
  { value: 'mentions', label: 'Mentions only' },
  { value: 'none', label: 'Nothing' },
] as const;

type DialogName = 'section' | 'settings' | 'archive';

type Props = Pick<MenuSurfaceProps, 'isOpen' | 'onClose' | 'placement'> & {
  conversation: Conversation;
  triggerRef: RefObject<HTMLElement | null>;
  onJumpToDate?: (() => void) | undefined;
  onPins?: (() => void) | undefined;
  onSearch?: (() => void) | undefined;
  /** Whether focus begins at what the conversation notifies of. */
  startsAtChoices?: boolean;
};

/** The menu of a conversation, and the dialogs that it opens. */
export function ConversationMenu({
  conversation,
  onJumpToDate,
  onPins,
  onSearch,
  startsAtChoices = false,
  ...surface
}: Props) {
  const [dialog, setDialog] = useState<DialogName>();
  useFocusedChoice(surface.isOpen && startsAtChoices);
  const close = () => setDialog(undefined);
  return (
    <>
      <MenuSurface {...surface} label="Conversation options">
        {onSearch && (
          <MenuItem icon={<Search />} onAction={onSearch}>
            Search in this conversation
          </MenuItem>
        )}
        {onPins && (
          <MenuItem icon={<Pin />} onAction={onPins}>
            Pinned messages
          </MenuItem>
        )}
        <ReadItem conversation={conversation} />
        <PreferenceItems conversation={conversation} onMove={() => setDialog('section')} onJumpToDate={onJumpToDate} />
        {conversation.abilities.archive && <MenuSeparator />}
        {conversation.abilities.archive && (
          <ManagerItems
            conversation={conversation}
            onSettings={() => setDialog('settings')}
            onArchive={() => setDialog('archive')}
          />
        )}
      </MenuSurface>
      {dialog === 'section' && <SectionDialog conversation={conversation} onClose={close} />}
      {dialog === 'settings' && <ChannelSettingsDialog conversation={conversation} onClose={close} />}
      {dialog === 'archive' && <ArchiveDialog conversation={conversation} onClose={close} />}
    </>
  );
}

/** The menu itself focuses its first item when it opens. */
function useFocusedChoice(isFocused: boolean): void {
  useEffect(() => {
    if (!isFocused) return undefined;
    const frame = requestAnimationFrame(() =>
      document.querySelector<HTMLElement>('[role="menuitemradio"][aria-checked="true"]')?.focus(),
    );
    return () => cancelAnimationFrame(frame);
  }, [isFocused]);
}

function ReadItem({ conversation }: { conversation: Conversation }) {
  const currentUserId = useCurrentUser()._id;
  const { _id, lastSeq } = conversation;
  if (useUnreadIn(conversation) > 0)
    return (
      <MenuItem icon={<MailCheck />} onAction={() => recordRead(currentUserId, _id, lastSeq)}>
        Mark as read
      </MenuItem>
    );
  if (lastSeq === 0) return null;
  return (
    <MenuItem icon={<MailOpen />} onAction={() => void markUnreadFrom(_id, lastSeq)}>
      Mark as unread
    </MenuItem>
  );
}

type PreferenceItemsProps = Pick<Props, 'conversation' | 'onJumpToDate'> & { onMove: () => void };

function PreferenceItems({ conversation, onMove, onJumpToDate }: PreferenceItemsProps) {
  const changePreferences = usePreferences();
  const { starred, hidden, notify } = conversation.preferences;
  const hide = () => {
    void changePreferences(conversation, { hidden: !hidden });
    if (!hidden) showSuccess('Hidden until there are new messages');
  };
  return (
    <>
      {onJumpToDate && (
        <MenuItem icon={<CalendarDays />} onAction={onJumpToDate}>
          Jump to date
        </MenuItem>
      )}
      <MenuItem
        icon={starred ? <StarOff /> : <Star />}
        onAction={() => void changePreferences(conversation, { starred: !starred })}
      >
        {starred ? 'Remove star' : 'Star'}
      </MenuItem>
      <MenuItem icon={<FolderInput />} onAction={onMove}>
        Move to section…
      </MenuItem>
      <MenuItem icon={hidden ? <Eye /> : <EyeOff />} onAction={hide}>
        {hidden ? 'Show in list' : 'Hide'}
      </MenuItem>
      <MenuSeparator />
      <MenuChoices
        label="Notifications"
        options={NOTIFY_OPTIONS}
        value={notify}
        onChange={(value) => void changePreferences(conversation, { notify: value })}
      />
    </>
  );
}

type ManagerItemsProps = { conversation: Conversation; onSettings: () => void; onArchive: () => void };

function ManagerItems({ conversation, onSettings, onArchive }: ManagerItemsProps) {
  const restore = useRestore(conversation._id);
  return (
    <>
      <MenuItem icon={<Settings2 />} onAction={onSettings}>
        Channel settings
      </MenuItem>
      {conversation.archived ? (
        <MenuItem icon={<ArchiveRestore />} onAction={() => void restore.run()}>
          Restore channel
        </MenuItem>
      ) : (
        <MenuItem icon={<Archive />} onAction={onArchive}>
          Archive channel
        </MenuItem>
      )}
    </>
  );
}

function ArchiveDialog({ conversation, onClose }: { conversation: Conversation; onClose: () => void }) {
  const { archive } = useConversationActions();
  return (
    <ConfirmDialog
      onClose={onClose}
      onConfirm={() => archive(conversation._id)}
      success="Channel archived"
      title={`Archive ${isolate(conversation.title ?? '')}`}
      action="Archive"
      failure="Failed to archive channel"
      isDangerous={false}
    >
      Its messages stay readable, and nobody can add any. You can restore it at any time.
    </ConfirmDialog>
  );
}
