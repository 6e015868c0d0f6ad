import type { Conversation } from '@atrium/proto-events/http/chat/conversations';
import type { Message } from '@atrium/proto-events/http/chat/messages';
import type { FollowedThread } from '@atrium/proto-events/http/chat/threads';
import { Button } from 'react-aria-components/Button';
import { styled } from 'styled-components';
import { conversationName } from '#entities/conversation/conversation.ts';
import { messageLine } from '#entities/conversation/conversation-labels.ts';
import { lastReplyAt } from '#entities/message/use-threads.ts';
import { Avatar } from '#entities/user/avatar.tsx';
import { displayName } from '#entities/user/user-labels.ts';
import { useUnreadInThread } from '#realtime/unread.ts';
import { Badge } from '#ui/badge.tsx';
import { bareButton, clampLines, ellipsis, focusRing } from '#ui/mixins.ts';
import { theme } from '#ui/theme.ts';
import { RelativeTime } from '#ui/times/relative-time.tsx';
import { THREAD_OF } from '../replies/focus-thread-opener.ts';
import { countReplies, unreadReplies } from '../replies/thread-labels.ts';

type Props = {
  thread: FollowedThread;
  conversation: Conversation | undefined;
  currentUserId: string;
  isOpen: boolean;
  onOpen: (root: string) => void;
};

export function ThreadRow({ thread, conversation, currentUserId, isOpen, onOpen }: Props) {
  const { _id, root, lastReply } = thread;
  const unreadCount = useUnreadInThread(_id);
  const time = lastReplyAt(thread);
  const name = conversation ? conversationName(conversation, currentUserId) : '';
  return (
    <li>
      <Row {...{ [THREAD_OF]: _id }} aria-current={isOpen} onPress={() => onOpen(_id)}>
        <Line>
          <Name dir="auto">{name}</Name>
          <Badge count={unreadCount} label={unreadReplies(unreadCount)} tone="accent" />
          <RelativeTime time={time} />
        </Line>
        <Quoted message={root} isUnread={unreadCount > 0} />
        <Replies>
          <span>{countReplies(root.thread?.replyCount ?? 0)}</span>
          {lastReply && <Quoted message={lastReply} isUnread={unreadCount > 0} isReply />}
        </Replies>
      </Row>
    </li>
  );
}

type QuotedProps = { message: Message; isUnread: boolean; isReply?: boolean };

function Quoted({ message, isUnread, isReply = false }: QuotedProps) {
  return (
    <Quote $isReply={isReply}>
      <Avatar user={message.sender} size={isReply ? 20 : 28} />
      <span>
        <strong dir="auto">{displayName(message.sender)}</strong>{' '}
        <Excerpt dir="auto" $isUnread={isUnread && isReply} $isDeleted={message.deleted}>
          {messageLine(message)}
        </Excerpt>
      </span>
    </Quote>
  );
}

const Row = styled(Button)`
  ${bareButton}
  ${focusRing}
  display: grid;
  gap: ${theme.space[2]};
  width: 100%;
  padding: ${theme.space[3]} ${theme.space[4]};
  border: 1px solid ${theme.color.line};
  border-radius: ${theme.radius.lg};
  background: ${theme.color.surface};
  color: ${theme.color.text};
  text-align: start;
  transition: border-color ${theme.motion.fast};
  &[data-hovered] {
    border-color: ${theme.color.lineStrong};
  }
  &[aria-current='true'] {
    border-color: ${theme.color.accent};
    background: ${theme.color.accentSoft};
  }
`;

const Line = styled.span`
  display: flex;
  align-items: center;
  gap: ${theme.space[2]};
  min-height: 20px;
  font: ${theme.text.xs};
  color: ${theme.color.text3};
  time {
    flex: none;
    font-variant-numeric: tabular-nums;
  }
`;

const Name = styled.span`
  ${ellipsis}
  flex: 1;
  font: 500 ${theme.text.sm};
  color: ${theme.color.text2};
`;

const Quote = styled.span<{ $isReply: boolean }>`
  display: grid;
  grid-template-columns: auto minmax(0, 1fr);
  gap: ${theme.space[2]};
  align-items: ${({ $isReply }) => ($isReply ? 'center' : 'start')};
  min-width: 0;
  > :last-child {
    ${({ $isReply }) => ($isReply ? ellipsis : clampLines(2))}
    padding-top: ${({ $isReply }) => ($isReply ? 0 : '4px')};
    overflow-wrap: anywhere;
  }
  strong {
    font-weight: 600;
  }
`;

const Excerpt = styled.span<{ $isUnread: boolean; $isDeleted: boolean }>`
  font-weight: ${({ $isUnread }) => ($isUnread ? 500 : 400)};
  font-style: ${({ $isDeleted }) => ($isDeleted ? 'italic' : 'normal')};
  color: ${({ $isDeleted }) => ($isDeleted ? theme.color.text3 : theme.color.text)};
`;

const Replies = styled.span`
  display: flex;
  align-items: center;
  gap: ${theme.space[3]};
  min-width: 0;
  padding-inline-start: 36px;
  font: ${theme.text.sm};
  > :first-child {
    flex: none;
    color: ${theme.color.text2};
    font-variant-numeric: tabular-nums;
  }
`;
