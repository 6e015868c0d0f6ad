import { Bell } from 'lucide-react';
import { type RefObject, useState } from 'react';
import { Dialog } from 'react-aria-components/Dialog';
import type { Placement } from 'react-aria-components/Popover';
import { styled } from 'styled-components';
import { useNotifications } from '#entities/notification/use-notifications.ts';
import { loadMoreProps } from '#lib/query/load-more-props.ts';
import { Button } from '#ui/button.tsx';
import { FloatingSurface } from '#ui/floating-surface.tsx';
import { DividedList } from '#ui/layout/primitives.ts';
import { FormFailure } from '#ui/notice.tsx';
import { useAction } from '#ui/overlays/use-action.ts';
import { AsyncContent } from '#ui/pages/async-content.tsx';
import { EmptyState } from '#ui/pages/empty-state.tsx';
import { ShowMore } from '#ui/pages/show-more.tsx';
import { SkeletonRows } from '#ui/pages/skeleton.tsx';
import { theme } from '#ui/theme.ts';
import { NotificationRow } from './notification-row.tsx';
import { useMarkRead } from './use-mark-read.ts';

type Props = {
  isOpen: boolean;
  onClose: () => void;
  triggerRef: RefObject<HTMLElement | null>;
  placement: Placement;
};

const TALLEST = 600;

/** The user's notifications, newest first. */
export function NotificationPanel({ isOpen, onClose, triggerRef, placement }: Props) {
  return (
    <Surface
      isOpen={isOpen}
      onOpenChange={(open) => open || onClose()}
      triggerRef={triggerRef}
      placement={placement}
      maxHeight={TALLEST}
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
  const answer = useNotifications(pages);
  const more = loadMoreProps(answer, pages, setPages);
  const mark = useMarkRead();
  const markOne = useAction(mark.one, 'Failed to mark the notification as read');
  const markAll = useAction(mark.allUpTo, 'Failed to mark the notifications as read');
  const [latest] = answer.data?.data ?? [];
  const hasUnread = (answer.data?.unreadCount ?? 0) > 0;
  return (
    <>
      <Head>
        <h2 id={TITLE}>Notifications</h2>
        <Button
          variant="ghost"
          size="sm"
          isDisabled={!hasUnread}
          isBusy={markAll.isBusy}
          onPress={() => latest && void markAll.run(latest)}
        >
          Mark all as read
        </Button>
      </Head>
      <FormFailure failure={markOne.failure ?? markAll.failure} />
      <Body>
        <AsyncContent query={answer} failure="Failed to load notifications" skeletons={<SkeletonRows />}>
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
                  {data.map((one) => (
                    <NotificationRow
                      key={one._id}
                      notification={one}
                      onRead={() => void markOne.run(one)}
                      onFollow={onClose}
                    />
                  ))}
                </DividedList>
                {more.hasMore && (
                  <Foot>
                    <ShowMore more={more} />
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
