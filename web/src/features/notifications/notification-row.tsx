import { CalendarClock, Circle, CircleHelp, ShieldAlert } from 'lucide-react';
import { Dialog, DialogTrigger } from 'react-aria-components/Dialog';
import { Link } from 'react-router-dom';
import { styled } from 'styled-components';
import { findSettingLink, reasonText } from '#entities/notification/notice-reasons.ts';
import { notificationPath, notificationSentence } from '#entities/notification/notification-labels.ts';
import type { Notification } from '#entities/notification/use-notifications.ts';
import { Avatar } from '#entities/user/avatar.tsx';
import { useNow } from '#lib/hooks/use-now.ts';
import { FloatingSurface } from '#ui/floating-surface.tsx';
import { IconButton } from '#ui/icon-button.tsx';
import { IconTile } from '#ui/layout/icon-tile.ts';
import { Box, Text } from '#ui/layout/primitives.ts';
import { stretchedLink } from '#ui/mixins.ts';
import { theme } from '#ui/theme.ts';
import { PrintedText } from '#ui/times/printed-text.tsx';
import { RelativeTime } from '#ui/times/relative-time.tsx';
import { VisuallyHidden } from '#ui/visually-hidden.tsx';

type Props = {
  notification: Notification;
  onOpen: () => void;
  onToggle: () => void;
  /** Called when a link to a setting is followed. */
  onLeave: () => void;
};

/** A notification; following its link marks it as read. */
export function NotificationRow({ notification, onOpen, onToggle, onLeave }: Props) {
  const { _id, actor, notice, readAt, createdAt } = notification;
  const { before, title, after } = notificationSentence(notification, useNow());
  const printed = notificationSentence(notification, null);
  const isUnread = readAt === null;
  return (
    <Row data-notification={_id}>
      {actor ? (
        <Avatar user={actor} />
      ) : (
        <IconTile $size={32} $tone="accent" $round aria-hidden="true">
          {notice?.kind === 'security' ? <ShieldAlert /> : <CalendarClock />}
        </IconTile>
      )}
      <Box $flex="fill">
        {/* Unknown kinds link to the current page. */}
        <RowLink to={notificationPath(notification) ?? ''} onClick={onOpen}>
          <Text as="p" $tone={isUnread ? 'text' : 'text2'} $breaks>
            <bdi>
              {isUnread && <VisuallyHidden>Unread: </VisuallyHidden>}
              {before !== undefined && <PrintedText text={before} printed={printed.before ?? ''} />}{' '}
              <Text as="strong" $weight={isUnread ? 600 : 500} dir="auto">
                {title}
              </Text>{' '}
              {after !== undefined && <PrintedText text={after} printed={printed.after ?? ''} />}
            </bdi>
          </Text>
        </RowLink>
        <Text $size="sm" $tone="text3">
          <RelativeTime time={createdAt} />
        </Text>
      </Box>
      <Actions>
        <Reason notification={notification} onLeave={onLeave} />
        <IconButton label={isUnread ? 'Mark as read' : 'Mark as unread'} onPress={onToggle}>
          <Dot data-unread={isUnread || undefined} />
        </IconButton>
      </Actions>
    </Row>
  );
}

function Reason({ notification, onLeave }: Pick<Props, 'notification' | 'onLeave'>) {
  const link = findSettingLink(notification);
  return (
    <DialogTrigger>
      <IconButton label="Why did I get this?">
        <CircleHelp />
      </IconButton>
      <FloatingSurface placement="bottom end">
        <ReasonText aria-label="Why did I get this?">
          <Text as="p" $weight={500}>
            {reasonText(notification)}
          </Text>
          {link ? (
            <Link to={link.to} onClick={onLeave}>
              {link.label}
            </Link>
          ) : (
            <Text as="p" $tone="text2">
              You can’t turn this off.
            </Text>
          )}
        </ReasonText>
      </FloatingSurface>
    </DialogTrigger>
  );
}

const Row = styled.li`
  position: relative;
  display: flex;
  align-items: flex-start;
  gap: ${theme.space[3]};
  padding-block: ${theme.space[3]};
  padding-inline: ${theme.space[4]} ${theme.space[2]};
  &:hover {
    background: ${theme.color.hover};
  }
  &:has(a[href]:focus-visible) {
    box-shadow: inset 0 0 0 2px ${theme.color.accent};
  }
`;

const RowLink = styled(Link)`
  ${stretchedLink}
`;

/** Above the link, which covers the row. */
const Actions = styled.div`
  position: relative;
  z-index: 1;
  display: flex;
  flex: none;
  > button {
    color: ${theme.color.text3};
  }
`;

const Dot = styled(Circle)`
  && {
    width: 10px;
    height: 10px;
    stroke-width: 2.5;
  }
  &[data-unread] {
    fill: ${theme.color.accent};
    stroke: ${theme.color.accent};
  }
`;

const ReasonText = styled(Dialog)`
  max-width: 280px;
  padding: ${theme.space[3]};
  outline: none;
  > a {
    display: inline-block;
    margin-top: ${theme.space[1]};
  }
`;
