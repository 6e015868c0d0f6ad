import { MessagesSquare } from 'lucide-react';
import { useUnreadReplies } from '#realtime/unread.ts';
import { Badge } from '#ui/badge.tsx';
import { unreadReplies } from '../../replies/thread-labels.ts';
import { THREADS } from './use-selection.ts';
import { ViewLink } from './view-link.tsx';

/** Leads from the list of conversations to the Threads view. */
export function ThreadsLink({ isOpen, isFromList }: { isOpen: boolean; isFromList: boolean }) {
  const unreadCount = useUnreadReplies();
  return (
    <ViewLink
      to={`?${THREADS}=all`}
      icon={<MessagesSquare aria-hidden="true" />}
      isOpen={isOpen}
      isFromList={isFromList}
      isUnread={unreadCount > 0}
    >
      <span>Threads</span>
      <Badge count={unreadCount} label={unreadReplies(unreadCount)} tone="accent" />
    </ViewLink>
  );
}
