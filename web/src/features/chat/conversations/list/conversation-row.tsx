import type { Conversation } from '@atrium/proto-events/http/chat/conversations';
import { BellOff, PencilLine } from 'lucide-react';
import { memo } from 'react';
import { Link } from 'react-router-dom';
import { css, styled } from 'styled-components';
import { conversationName } from '#entities/conversation/conversation.ts';
import { ConversationAvatar } from '#entities/conversation/conversation-avatar.tsx';
import { conversationPreview } from '#entities/conversation/conversation-labels.ts';
import { useTitles } from '#entities/conversation/conversation-titles.ts';
import { UnreadBadge } from '#entities/conversation/unread-badge.tsx';
import { useNow } from '#lib/hooks/use-now.ts';
import { OPENED_HERE } from '#lib/hooks/use-overlay-history.ts';
import { formatTime } from '#lib/time/formats.ts';
import { useUnreadIn, useUnreadMentionsIn } from '#realtime/unread.ts';
import { Badge } from '#ui/badge.tsx';
import { ellipsis, iconSize } from '#ui/mixins.ts';
import { theme } from '#ui/theme.ts';
import { clockTime, daysFromToday, fullTime } from '#ui/times/time-format.ts';
import { VisuallyHidden } from '#ui/visually-hidden.tsx';
import { useHasDraft } from '../../sending/draft-list.ts';
import { listEntryStyles } from './list-entry.ts';

type Props = { conversation: Conversation; currentUserId: string; isOpen: boolean; isFromList: boolean };

/** Memoized: each new message changes one row of hundreds. */
export const ConversationRow = memo(function ConversationRow({
  conversation,
  currentUserId,
  isOpen,
  isFromList,
}: Props) {
  const { _id, updatedAt } = conversation;
  const isMuted = conversation.preferences.notify === 'none';
  const unreadCount = useUnreadIn(conversation);
  const isUnread = unreadCount > 0 && !isMuted;
  // The open conversation shows its draft.
  const hasDraft = useHasDraft(_id) && !isOpen;
  const now = new Date(useNow());
  const name = conversationName(conversation, currentUserId);
  // The last message may mention channels.
  useTitles();
  const preview = conversationPreview(conversation);
  return (
    <li>
      <Row
        to={`?c=${_id}`}
        state={isFromList ? OPENED_HERE : undefined}
        aria-current={isOpen ? 'true' : undefined}
        data-conversation={_id}
        $isDimmed={isMuted || conversation.archived}
      >
        <ConversationAvatar conversation={conversation} currentUserId={currentUserId} />
        <TextColumn $isUnread={isUnread}>
          <strong title={name} dir="auto">
            {name}
          </strong>
          <small dir="auto">{preview}</small>
        </TextColumn>
        <Aside>
          <time dateTime={updatedAt} title={fullTime(updatedAt)}>
            {activityTime(updatedAt, now)}
          </time>
          {isMuted ? <Muted /> : <RowBadge conversation={conversation} unreadCount={unreadCount} />}
          {unreadCount === 0 && !isMuted && hasDraft && <DraftMark />}
        </Aside>
      </Row>
    </li>
  );
});

export function activityTime(time: string, now = new Date()): string {
  const days = daysFromToday(time, now);
  if (days >= 0) return clockTime(time);
  if (days === -1) return 'Yesterday';
  if (days > -7) return formatTime(time, { weekday: 'short' });
  return formatTime(time, { day: 'numeric', month: 'short' });
}

/** A number counts direct messages and mentions; others are only marked as unread. */
function RowBadge({ conversation, unreadCount }: { conversation: Conversation; unreadCount: number }) {
  const mentionCount = useUnreadMentionsIn(conversation);
  if (unreadCount === 0) return null;
  if (conversation.type === 'direct') return <UnreadBadge count={unreadCount} tone="accent" />;
  return (
    <BadgeBox>
      {mentionCount > 0 ? (
        <Badge count={mentionCount} label={mentionCount === 1 ? 'mention' : 'mentions'} tone="accent" />
      ) : (
        <Dot aria-hidden="true" />
      )}
      <VisuallyHidden>{`${unreadCount} unread ${unreadCount === 1 ? 'message' : 'messages'}`}</VisuallyHidden>
    </BadgeBox>
  );
}

const dimmedStyles = css`
  strong,
  small {
    color: ${theme.color.text3};
  }
`;

const DraftMark = () => (
  <MutedMark title="Draft">
    <PencilLine aria-hidden="true" />
    <VisuallyHidden>Draft</VisuallyHidden>
  </MutedMark>
);

const Muted = () => (
  <MutedMark title="Muted">
    <BellOff aria-hidden="true" />
    <VisuallyHidden>Muted</VisuallyHidden>
  </MutedMark>
);

const Row = styled(Link)<{ $isDimmed: boolean }>`
  ${listEntryStyles}
  min-height: 56px;
  padding: ${theme.space[2]} ${theme.space[3]};
  ${({ $isDimmed }) => $isDimmed && dimmedStyles}
`;

const BadgeBox = styled.span`
  position: relative;
  display: grid;
  place-items: center;
  height: 20px;
`;

const Dot = styled.span`
  width: 8px;
  height: 8px;
  margin: 0 6px;
  border-radius: ${theme.radius.full};
  background: ${theme.color.accent};
`;

const MutedMark = styled.span`
  display: grid;
  place-items: center;
  height: 20px;
  color: ${theme.color.text3};
  ${iconSize(14)}
`;

const TextColumn = styled.span<{ $isUnread: boolean }>`
  display: grid;
  min-width: 0;
  strong,
  small {
    ${ellipsis}
  }
  strong {
    font-weight: ${({ $isUnread }) => ($isUnread ? 600 : 500)};
  }
  small {
    font: ${theme.text.sm};
    font-weight: ${({ $isUnread }) => ($isUnread ? 500 : 400)};
    color: ${({ $isUnread }) => ($isUnread ? theme.color.text : theme.color.text2)};
  }
`;

const Aside = styled.span`
  display: grid;
  justify-items: end;
  align-content: start;
  align-self: stretch;
  gap: 2px;
  padding-top: 2px;
  time {
    font: ${theme.text.xs};
    color: ${theme.color.text3};
    font-variant-numeric: tabular-nums;
  }
`;
