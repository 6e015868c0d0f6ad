import type { Message } from '@atrium/proto-events/http/chat/messages';
import { Button } from 'react-aria-components/Button';
import { styled } from 'styled-components';
import { Avatar } from '#entities/user/avatar.tsx';
import { useUnreadInThread } from '#realtime/unread.ts';
import { Badge } from '#ui/badge.tsx';
import { bareButton, focusRing } from '#ui/mixins.ts';
import { theme } from '#ui/theme.ts';
import { RelativeTime } from '#ui/times/relative-time.tsx';
import { THREAD_OF } from './focus-thread-opener.ts';
import { countReplies } from './thread-labels.ts';

type Props = { root: Message; onOpen: (root: string) => void };

/** What the root of a thread shows about its replies. */
export function ThreadSummary({ root: { _id, thread }, onOpen }: Props) {
  const unreadCount = useUnreadInThread(_id);
  const { lastSeq = 0, replyCount = 0, lastReplyAt, people = [] } = thread ?? {};
  // A thread whose replies were all deleted can still be opened.
  if (lastSeq === 0) return null;
  return (
    <Summary {...{ [THREAD_OF]: _id }} onPress={() => onOpen(_id)}>
      <People aria-hidden="true">
        {people.map((user) => (
          <span key={user._id}>
            <Avatar user={user} size={20} />
          </span>
        ))}
      </People>
      <Count>{countReplies(replyCount)}</Count>
      <Badge count={unreadCount} label="unread" tone="accent" />
      {lastReplyAt && <RelativeTime time={lastReplyAt} />}
    </Summary>
  );
}

const Summary = styled(Button)`
  ${bareButton}
  ${focusRing}
  display: inline-flex;
  align-items: center;
  gap: ${theme.space[2]};
  max-width: 100%;
  min-height: 28px;
  margin: 2px 0 2px -4px;
  padding: 0 ${theme.space[2]} 0 4px;
  border-radius: ${theme.radius.md};
  font: ${theme.text.sm};
  white-space: nowrap;
  transition: background ${theme.motion.fast};
  &[data-hovered] {
    background: ${theme.color.surface};
    box-shadow: 0 0 0 1px ${theme.color.line};
  }
  time {
    font: ${theme.text.xs};
    color: ${theme.color.text3};
    font-variant-numeric: tabular-nums;
    overflow: hidden;
    text-overflow: ellipsis;
  }
  ${theme.media.small} {
    min-height: 44px;
    margin-block: 0;
  }
`;

const People = styled.span`
  display: flex;
  flex: none;
  > span {
    display: flex;
    border-radius: ${theme.radius.full};
    box-shadow: 0 0 0 2px ${theme.color.ground};
  }
  > span + span {
    margin-inline-start: -4px;
  }
`;

const Count = styled.span`
  font-weight: 500;
  color: ${theme.color.accent};
  font-variant-numeric: tabular-nums;
`;
