import { Bell } from 'lucide-react';
import { type RefObject, useState } from 'react';
import { Dialog } from 'react-aria-components/Dialog';
import type { Placement } from 'react-aria-components/Popover';
import { styled } from 'styled-components';
import { useNotifications } from '#entities/notification/use-notifications.ts';
import { loadMoreProps } from '#lib/query/paging.ts';
import { Button } from '#ui/button.tsx';
import { ButtonLink } from '#ui/button-link.tsx';
import { FloatingSurface } from '#ui/floating-surface.tsx';
import { FormFailure } from '#ui/notice.tsx';
import { AsyncContent } from '#ui/pages/async-content.tsx';
import { EmptyState } from '#ui/pages/empty-state.tsx';
import { ShowMore } from '#ui/pages/show-more.tsx';
import { SkeletonRows } from '#ui/pages/skeleton.tsx';
import { theme } from '#ui/theme.ts';
import { NotificationList } from './notification-list.tsx';
import { useUndoableReading } from './use-undoable-reading.ts';

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

/** The panel is open as long as it is mounted, but its keys are for the dialog that has focus. */
const isElsewhere = (list: HTMLElement | null) => !list?.closest('[role=dialog]')?.contains(document.activeElement);

function Notifications({ onClose }: Pick<Props, 'onClose'>) {
  const [pages, setPages] = useState(1);
  const notifications = useNotifications(pages);
  const paging = loadMoreProps(notifications, pages, setPages);
  const reading = useUndoableReading();
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
          isBusy={reading.all.isBusy}
          onPress={() => latest && void reading.all.run(latest)}
        >
          Mark all as read
        </Button>
      </Head>
      <FormFailure failure={reading.failure} />
      <Body>
        <AsyncContent query={notifications} failure="Failed to load notifications" skeletons={<SkeletonRows />}>
          {({ data }) =>
            data.length === 0 ? (
              <EmptyState
                icon={<Bell />}
                title="No notifications yet"
                hint="Mentions, invitations, reminders, and items shared with you will appear here."
              />
            ) : (
              <>
                <NotificationList notifications={data} reading={reading} isIgnored={isElsewhere} onLeave={onClose} />
                {paging.hasMore && (
                  <More>
                    <ShowMore more={paging} />
                  </More>
                )}
              </>
            )
          }
        </AsyncContent>
      </Body>
      <Foot>
        <ButtonLink to="/notifications" variant="ghost" size="sm" isFullWidth>
          Open inbox
        </ButtonLink>
      </Foot>
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
  padding: ${theme.space[2]};
  padding-inline-start: ${theme.space[4]};
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

const More = styled.div`
  padding: ${theme.space[2]} ${theme.space[4]};
  border-top: 1px solid ${theme.color.line};
`;

const Foot = styled.footer`
  padding: ${theme.space[1]} ${theme.space[2]};
  border-top: 1px solid ${theme.color.line};
`;
