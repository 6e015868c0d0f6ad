import { CalendarClock } from 'lucide-react';
import { Link } from 'react-router-dom';
import { styled } from 'styled-components';
import { notificationPath, notificationSentence } from '#entities/notification/notification-labels.ts';
import type { Notification } from '#entities/notification/use-notifications.ts';
import { Avatar } from '#entities/user/avatar.tsx';
import { useNow } from '#lib/hooks/use-now.ts';
import { Box, IconTile, Text } from '#ui/layout/primitives.ts';
import { rowLink } from '#ui/mixins.ts';
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
    <li>
      {/* Unknown kinds link to the current page. */}
      <Row to={notificationPath(notification) ?? ''} onClick={follow}>
        {actor ? (
          <Avatar person={actor} />
        ) : (
          <IconTile $size={32} $tone="accent" $round aria-hidden="true">
            <CalendarClock />
          </IconTile>
        )}
        <Box $flex="fill">
          <Text as="p" $tone={isUnread ? 'text' : 'text2'} $breaks>
            {before}{' '}
            <Text as="strong" $weight={isUnread ? 600 : 500} dir="auto">
              {title}
            </Text>{' '}
            {after}
          </Text>
          <Text $size="sm" $tone="text3">
            <RelativeTime time={createdAt} />
          </Text>
        </Box>
        {isUnread && (
          <Dot>
            <VisuallyHidden>Unread</VisuallyHidden>
          </Dot>
        )}
      </Row>
    </li>
  );
}

const Row = styled(Link)`
  display: flex;
  align-items: flex-start;
  gap: ${theme.space[3]};
  padding: ${theme.space[3]} ${theme.space[4]};
  ${rowLink}
`;

const Dot = styled.span`
  flex: none;
  width: 8px;
  height: 8px;
  margin-top: 6px;
  border-radius: ${theme.radius.full};
  background: ${theme.color.accent};
`;
