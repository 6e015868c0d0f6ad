import { Bell, CheckCheck } from 'lucide-react';
import { useState } from 'react';
import { styled } from 'styled-components';
import { type NotificationFilter, useNotifications } from '#entities/notification/use-notifications.ts';
import { useUrlState } from '#lib/hooks/use-url-state.ts';
import { loadMoreProps } from '#lib/query/paging.ts';
import { useSingleKeys } from '#lib/single-key-shortcuts.ts';
import { Button } from '#ui/button.tsx';
import { HiddenOnMobile } from '#ui/collapsible.tsx';
import { Caption } from '#ui/layout/primitives.ts';
import { hiddenInPrint } from '#ui/mixins.ts';
import { FormFailure } from '#ui/notice.tsx';
import { isCovered } from '#ui/overlays/is-covered.ts';
import { AsyncContent } from '#ui/pages/async-content.tsx';
import { Card } from '#ui/pages/card.tsx';
import { EmptyState } from '#ui/pages/empty-state.tsx';
import { ShowMore } from '#ui/pages/show-more.tsx';
import { SkeletonRows } from '#ui/pages/skeleton.tsx';
import { SegmentedControl } from '#ui/segmented-control.tsx';
import { theme } from '#ui/theme.ts';
import { VisuallyHidden } from '#ui/visually-hidden.tsx';
import { NotificationList } from './notification-list.tsx';
import { useUndoableReading } from './use-undoable-reading.ts';

const FILTERS: readonly { key: NotificationFilter; label: string }[] = [
  { key: 'all', label: 'All' },
  { key: 'unread', label: 'Unread' },
  { key: 'mentions', label: 'Mentions' },
];

const EMPTY_TEXTS: Readonly<Record<NotificationFilter, { title: string; hint: string }>> = {
  all: {
    title: 'No notifications yet',
    hint: 'Mentions, invitations, reminders, and items shared with you will appear here.',
  },
  unread: { title: 'You’re all caught up', hint: 'New notifications will appear here.' },
  mentions: { title: 'No mentions yet', hint: 'When someone mentions you, you’ll find it here.' },
};

const DEFAULTS = { filter: 'all' };

export function Inbox() {
  const [state, setState] = useUrlState(DEFAULTS);
  const filter = FILTERS.find(({ key }) => key === state.filter)?.key ?? 'all';
  return (
    // Each filter starts with its first page.
    <FilteredInbox key={filter} filter={filter} onFilter={(next) => setState({ filter: next }, 'push')} />
  );
}

type Props = { filter: NotificationFilter; onFilter: (filter: NotificationFilter) => void };

function FilteredInbox({ filter, onFilter }: Props) {
  const [pages, setPages] = useState(1);
  const notifications = useNotifications(pages, filter);
  const latest = useNotifications().data?.data[0];
  const paging = loadMoreProps(notifications, pages, setPages);
  const reading = useUndoableReading();
  const hasUnread = (notifications.data?.unreadCount ?? 0) > 0;
  return (
    <Card footer={paging.hasMore ? <ShowMore more={paging} /> : undefined}>
      <VisuallyHidden as="h2">Inbox</VisuallyHidden>
      <Bar>
        <SegmentedControl label="Show" items={FILTERS} selected={filter} onSelect={onFilter} />
        <KeyHints />
        {filter !== 'mentions' && (
          <Button
            variant="ghost"
            icon={<CheckCheck />}
            aria-label="Mark all as read"
            isDisabled={!hasUnread}
            isBusy={reading.all.isBusy}
            onPress={() => latest && void reading.all.run(latest)}
          >
            <HiddenOnMobile>Mark all as read</HiddenOnMobile>
          </Button>
        )}
      </Bar>
      <FormFailure failure={reading.failure} />
      <AsyncContent query={notifications} failure="Failed to load notifications" skeletons={<SkeletonRows count={8} />}>
        {({ data }) =>
          data.length === 0 ? (
            <EmptyState icon={<Bell />} {...EMPTY_TEXTS[filter]} />
          ) : (
            <NotificationList notifications={data} reading={reading} isIgnored={isCovered} onLeave={() => undefined} />
          )
        }
      </AsyncContent>
    </Card>
  );
}

function KeyHints() {
  const isOn = useSingleKeys();
  return (
    <Hints>
      {isOn && (
        <bdi dir="ltr">
          <kbd>J</kbd> <kbd>K</kbd> move, <kbd>Enter</kbd> open, <kbd>E</kbd> mark as read
        </bdi>
      )}
    </Hints>
  );
}

const Bar = styled.div`
  display: flex;
  flex-wrap: wrap;
  align-items: center;
  justify-content: space-between;
  gap: ${theme.space[2]} ${theme.space[3]};
  padding: ${theme.space[3]} ${theme.space[4]};
  border-bottom: 1px solid ${theme.color.line};
  ${theme.media.small} {
    gap: ${theme.space[2]};
    padding-inline: ${theme.space[3]};
  }
  ${hiddenInPrint}
`;

const Hints = styled(Caption)`
  flex: 1;
  text-align: end;
  ${theme.media.compact} {
    display: none;
  }
`;
