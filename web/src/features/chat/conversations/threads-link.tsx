import { MessagesSquare } from 'lucide-react';
import { Link } from 'react-router-dom';
import { styled } from 'styled-components';
import { OPENED_HERE } from '#lib/hooks/use-overlay-history.ts';
import { useUnreadReplies } from '#realtime/unread.ts';
import { Badge } from '#ui/badge.tsx';
import { iconSize } from '#ui/mixins.ts';
import { theme } from '#ui/theme.ts';
import { unreadReplies } from '../replies/thread-labels.ts';
import { listEntryStyles } from './list-entry.ts';
import { THREADS } from './use-selection.ts';

/** Leads from the list of conversations to the Threads view. */
export function ThreadsLink({ isOpen, isFromList }: { isOpen: boolean; isFromList: boolean }) {
  const unreadCount = useUnreadReplies();
  return (
    <Entry
      to={`?${THREADS}=all`}
      state={isFromList ? OPENED_HERE : undefined}
      aria-current={isOpen ? 'true' : undefined}
      $isUnread={unreadCount > 0}
    >
      <MessagesSquare aria-hidden="true" />
      <span>Threads</span>
      <Badge count={unreadCount} label={unreadReplies(unreadCount)} tone="accent" />
    </Entry>
  );
}

const Entry = styled(Link)<{ $isUnread: boolean }>`
  ${listEntryStyles}
  min-height: 40px;
  margin: 0 ${theme.space[2]} 2px;
  padding: 0 ${theme.space[3]};
  font-weight: ${({ $isUnread }) => ($isUnread ? 600 : 500)};
  ${iconSize(18)}
  > svg {
    justify-self: center;
    color: ${theme.color.text2};
  }
  ${theme.media.small} {
    min-height: 48px;
  }
`;
