import { Bell, CalendarClock } from 'lucide-react';
import { type RefObject, useState } from 'react';
import { Dialog } from 'react-aria-components/Dialog';
import type { Placement } from 'react-aria-components/Popover';
import { Link } from 'react-router-dom';
import { styled } from 'styled-components';
import { notificationPath, notificationSentence } from '#entities/notification/notification-labels.ts';
import { type Notification, useNotifications } from '#entities/notification/use-notifications.ts';
import { Avatar } from '#entities/user/avatar.tsx';
import { useNow } from '#lib/hooks/use-now.ts';
import { loadMoreProps } from '#lib/query/paging.ts';
import { Button } from '#ui/button.tsx';
import { FloatingSurface } from '#ui/floating-surface.tsx';
import { IconTile } from '#ui/layout/icon-tile.ts';
import { Box, DividedList, Text } from '#ui/layout/primitives.ts';
import { rowLink } from '#ui/mixins.ts';
import { FormFailure } from '#ui/notice.tsx';
import { useAction } from '#ui/overlays/use-action.ts';
import { AsyncContent } from '#ui/pages/async-content.tsx';
import { EmptyState } from '#ui/pages/empty-state.tsx';
import { ShowMore } from '#ui/pages/show-more.tsx';
import { SkeletonRows } from '#ui/pages/skeleton.tsx';
import { theme } from '#ui/theme.ts';
import { RelativeTime } from '#ui/times/relative-time.tsx';
import { VisuallyHidden } from '#ui/visually-hidden.tsx';
import { useMarkRead } from './use-mark-read.ts';

type Props = {
  isOpen: boolean;
  onClose: () => void;
  triggerRef: RefObject<HTMLElement | null>;
  placement: Placement;
};

const MAX_HEIGHT = 600;

export function NotificationPanel({ isOpen, onClose, triggerRef, placement }: Props) {
  return (
    <Surface
      isOpen={isOpen}
      onOpenChange={(open) => open || onClose()}
      triggerRef={triggerRef}
      placement={placement}
      maxHeight={MAX_HEIGHT}
    >
      <Frame aria-labelledby={TITLE}>
        <Notifications onClose={onClose} />
      </Frame>
    </Surface>
  );
}

const TITLE = 'notifications-title';

function Notifications({ onClose }: Pick<Props, 'onClose'>) {
  const [pages, setPages] = useState(1);
  const notifications = useNotifications(pages);
  const paging = loadMoreProps(notifications, pages, setPages);
  const actions = useMarkRead();
  const markRead = useAction(actions.markRead, 'Failed to mark the notification as read');
  const markAllRead = useAction(actions.markAllRead, 'Failed to mark the notifications as read');
  const [latest] = notifications.data?.data ?? [];
  const hasUnread = (notifications.data?.unreadCount ?? 0) > 0;
  return (
    <>
      <Head>
        <h2 id={TITLE}>Notifications</h2>
        <Button
          variant="ghost"
          size="sm"
          isDisabled={!hasUnread}
          isBusy={markAllRead.isBusy}
          onPress={() => latest && void markAllRead.run(latest)}
        >
          Mark all as read
        </Button>
      </Head>
      <FormFailure failure={markRead.failure ?? markAllRead.failure} />
      <Body>
        <AsyncContent query={notifications} failure="Failed to load notifications" skeletons={<SkeletonRows />}>
          {({ data }) =>
            data.length === 0 ? (
              <EmptyState
                icon={<Bell />}
                title="No notifications yet"
                hint="Invitations, reminders, and items shared with you will appear here."
              />
            ) : (
              <>
                <DividedList aria-labelledby={TITLE}>
                  {data.map((notification) => (
                    <NotificationRow
                      key={notification._id}
                      notification={notification}
                      onRead={() => void markRead.run(notification)}
                      onFollow={onClose}
                    />
                  ))}
                </DividedList>
                {paging.hasMore && (
                  <Foot>
                    <ShowMore more={paging} />
                  </Foot>
                )}
              </>
            )
          }
        </AsyncContent>
      </Body>
    </>
  );
}

const Surface = styled(FloatingSurface)`
  display: flex;
  width: min(400px, calc(100vw - 24px));
  padding: 0;
  overflow: hidden;
`;

const Frame = styled(Dialog)`
  flex: 1;
  min-width: 0;
  display: flex;
  flex-direction: column;
  outline: none;
`;

const Head = styled.header`
  display: flex;
  align-items: center;
  justify-content: space-between;
  gap: ${theme.space[2]};
  padding: ${theme.space[2]} ${theme.space[2]} ${theme.space[2]} ${theme.space[4]};
  border-bottom: 1px solid ${theme.color.line};
  h2 {
    font: 600 ${theme.text.md};
  }
`;

const Body = styled.div`
  flex: 1;
  min-height: 0;
  overflow-y: auto;
`;

const Foot = styled.div`
  padding: ${theme.space[2]} ${theme.space[4]};
  border-top: 1px solid ${theme.color.line};
`;

type NotificationRowProps = { notification: Notification; onRead: () => void; onFollow: () => void };

/** A notification; following its link marks it as read. */
function NotificationRow({ notification, onRead, onFollow }: NotificationRowProps) {
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
          <Avatar user={actor} />
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
