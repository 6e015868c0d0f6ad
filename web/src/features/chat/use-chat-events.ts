import { isolate } from '@atrium/proto-events/text/isolate';
import { useEffect, useState } from 'react';
import { useChatListeners } from '#entities/conversation/use-chat-listeners.ts';
import { useCurrentUser } from '#lib/session/session.ts';
import { isWindowFocused } from '#lib/window-focus.ts';
import { showError } from '#ui/overlays/toast.ts';
import { chatEventHandlers } from './chat-event-handlers.ts';
import { createMembershipToasts } from './conversations/participants/membership-toasts.ts';
import { isOwnChange } from './conversations/use-conversation-actions.ts';
import { fillGaps } from './log/fill-gaps.ts';
import { threadLogId } from './log/log-id.ts';
import { messageStore } from './log/message-store.ts';
import { recordRead } from './read-receipts/record-read.ts';
import { isEndFollowed } from './read-receipts/use-read-position.ts';
import { dropOutgoing } from './sending/outgoing-messages.ts';
import { clearTyping, recordTyping } from './typing-line.tsx';

type ChatEventsParams = {
  open: string | null;
  openThread: string | null;
  nameOf: (conversationId: string) => string;
  onGone: (conversationId: string) => void;
};

export function useChatEvents({ open, openThread, nameOf, onGone }: ChatEventsParams): void {
  const currentUserId = useCurrentUser()._id;
  const [membershipToasts] = useState(createMembershipToasts);
  const threadLog = openThread && threadLogId(openThread);
  const events = chatEventHandlers({
    currentUserId,
    open,
    openThread: threadLog,
    store: messageStore,
    typing: { start: recordTyping, stop: clearTyping },
    isVisible: (logId) => isEndFollowed(logId) && isWindowFocused(),
    onRead: (logId, seq) => recordRead(currentUserId, logId, seq),
    onGone(conversation, reason) {
      if (reason === 'removed') {
        if (!isOwnChange(conversation, currentUserId))
          showError('You were removed from conversation', isolate(nameOf(conversation)));
      } else if (reason === 'deleted' && conversation === open && !isOwnChange(conversation))
        showError('This conversation was deleted', isolate(nameOf(conversation)));
      onGone(conversation);
      dropOutgoing(conversation);
    },
    onMembership(change, conversation, user) {
      if (!isOwnChange(conversation, user._id)) membershipToasts.record(change, user);
    },
  });
  useChatListeners(events);
  useEffect(() => {
    return membershipToasts.stop;
  }, [membershipToasts]);
  useEffect(() => {
    if (open === null) return;
    return fillGaps(open);
  }, [open]);
  useEffect(() => {
    if (threadLog === null) return;
    return fillGaps(threadLog);
  }, [threadLog]);
}
