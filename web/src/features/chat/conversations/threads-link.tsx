import { MessagesSquare } from 'lucide-react';
import { Link } from 'react-router-dom';
import { styled } from 'styled-components';
import { OPENED_HERE } from '#lib/hooks/use-overlay-history.ts';
import { useUnreadReplies } from '#realtime/unread.ts';
import { Badge } from '#ui/badge.tsx';
import { iconSize } from '#ui/mixins.ts';
import { theme } from '#ui/theme.ts';
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
      <Badge count={unreadCount} label={unreadCount === 1 ? 'unread reply' : 'unread replies'} tone="accent" />
    </Entry>
  );
}

const Entry = styled(Link)<{ $isUnread: boolean }>`
  display: grid;
  grid-template-columns: 36px minmax(0, 1fr) auto;
  gap: ${theme.space[3]};
  align-items: center;
  min-height: 40px;
  margin: 0 ${theme.space[2]} 2px;
  padding: 0 ${theme.space[3]};
  border-radius: ${theme.radius.md};
  color: ${theme.color.text};
  font-weight: ${({ $isUnread }) => ($isUnread ? 600 : 500)};
  transition: background ${theme.motion.fast};
  ${iconSize(18)}
  > svg {
    justify-self: center;
    color: ${theme.color.text2};
  }
  &:hover {
    background: ${theme.color.hover};
    text-decoration: none;
  }
  &[aria-current] {
    background: ${theme.color.accentSoft};
  }
  &:focus-visible {
    border-radius: ${theme.radius.md};
    box-shadow: inset 0 0 0 2px ${theme.color.accent};
  }
  ${theme.media.small} {
    min-height: 48px;
  }
`;
