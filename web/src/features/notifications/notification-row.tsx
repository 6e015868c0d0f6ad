import { CalendarClock } from 'lucide-react';
import { Link } from 'react-router-dom';
import { styled } from 'styled-components';
import { notificationPath, notificationSentence } from '#entities/notification/notification-labels.ts';
import type { Notification } from '#entities/notification/use-notifications.ts';
import { Avatar } from '#entities/user/avatar.tsx';
import { useNow } from '#lib/hooks/use-now.ts';
import { rowLink } from '#ui/pages/row-link.ts';
import { theme } from '#ui/theme.ts';
import { RelativeTime } from '#ui/times/relative-time.tsx';
import { VisuallyHidden } from '#ui/visually-hidden.tsx';

type Props = { notification: Notification; onRead: () => void; onFollow: () => void };

/** A notification; following its link marks it as read. */
export function NotificationRow({ notification, onRead, onFollow }: Props) {
  const { actor, readAt, createdAt } = notification;
  const { before, title, after } = notificationSentence(notification, useNow());
  const isUnread = readAt === null;
  const follow = () => {
    if (isUnread) onRead();
    onFollow();
  };
  return (
    <Item>
      {/* Unknown kinds link to the current page. */}
      <Row to={notificationPath(notification) ?? ''} onClick={follow}>
        {actor ? (
          <Avatar person={actor} />
        ) : (
          <Mark aria-hidden="true">
            <CalendarClock />
          </Mark>
        )}
        <TextColumn $isUnread={isUnread}>
          <p>
            {before} <strong dir="auto">{title}</strong> {after}
          </p>
          <RelativeTime time={createdAt} />
        </TextColumn>
        {isUnread && (
          <Dot>
            <VisuallyHidden>Unread</VisuallyHidden>
          </Dot>
        )}
      </Row>
    </Item>
  );
}

const Item = styled.li`
  & + & {
    border-top: 1px solid ${theme.color.line};
  }
`;

const Row = styled(Link)`
  display: flex;
  align-items: flex-start;
  gap: ${theme.space[3]};
  padding: ${theme.space[3]} ${theme.space[4]};
  ${rowLink}
`;

const Mark = styled.span`
  display: grid;
  place-items: center;
  flex: none;
  width: 32px;
  height: 32px;
  border-radius: ${theme.radius.full};
  background: ${theme.color.accentSoft};
  color: ${theme.color.accent};
  svg {
    width: 18px;
    height: 18px;
    stroke-width: 1.75;
  }
`;

const TextColumn = styled.div<{ $isUnread: boolean }>`
  flex: 1;
  min-width: 0;
  p {
    color: ${({ $isUnread }) => ($isUnread ? theme.color.text : theme.color.text2)};
    overflow-wrap: anywhere;
  }
  strong {
    font-weight: ${({ $isUnread }) => ($isUnread ? 600 : 500)};
  }
  time {
    font: ${theme.text.sm};
    color: ${theme.color.text3};
  }
`;

const Dot = styled.span`
  flex: none;
  width: 8px;
  height: 8px;
  margin-top: 6px;
  border-radius: ${theme.radius.full};
  background: ${theme.color.accent};
`;
