import { useCallback, useId, useRef } from 'react';
import { styled } from 'styled-components';
import { groupByDay, type NotificationDay } from '#entities/notification/group-by-day.ts';
import type { Notification } from '#entities/notification/use-notifications.ts';
import { useNow } from '#lib/hooks/use-now.ts';
import { keepFocus } from '#ui/keep-focus.ts';
import { DividedList } from '#ui/layout/primitives.ts';
import { theme } from '#ui/theme.ts';
import { PrintedText } from '#ui/times/printed-text.tsx';
import { NotificationRow } from './notification-row.tsx';
import { useListKeys } from './use-list-keys.ts';
import type { useUndoableReading } from './use-undoable-reading.ts';

type Props = {
  notifications: readonly Notification[];
  reading: ReturnType<typeof useUndoableReading>;
  /** Whether keys are ignored, given the list. */
  isIgnored: (list: HTMLElement | null) => boolean;
  onLeave: () => void;
};

/** Notifications by day; J and K move between them, and E marks the focused one as read. */
export function NotificationList({ notifications, reading, isIgnored, onLeave }: Props) {
  const list = useRef<HTMLDivElement>(null);
  const setList = useCallback((element: HTMLDivElement) => {
    list.current = element;
    return keepFocus(element);
  }, []);
  const toggle = (notification: Notification) => void reading.toggle.run(notification);
  useListKeys(list, {
    isIgnored: () => isIgnored(list.current),
    onToggle: (id) => {
      const notification = notifications.find(({ _id }) => _id === id);
      if (notification) toggle(notification);
    },
  });
  const open = (notification: Notification) => {
    if (notification.readAt === null) void reading.open.run(notification);
    onLeave();
  };
  return (
    <div ref={setList} tabIndex={-1}>
      {groupByDay(notifications, useNow()).map((day) => (
        <DayGroup key={day.day} day={day} onOpen={open} onToggle={toggle} onLeave={onLeave} />
      ))}
    </div>
  );
}

type DayGroupProps = Pick<Props, 'onLeave'> & {
  day: NotificationDay;
  onOpen: (notification: Notification) => void;
  onToggle: (notification: Notification) => void;
};

function DayGroup({ day: { label, date, notifications }, onOpen, onToggle, onLeave }: DayGroupProps) {
  const headingId = useId();
  return (
    <section aria-labelledby={headingId}>
      <DayHeading id={headingId}>
        <PrintedText text={label} printed={date} />
      </DayHeading>
      <DividedList aria-labelledby={headingId}>
        {notifications.map((notification) => (
          <NotificationRow
            key={notification._id}
            notification={notification}
            onOpen={() => onOpen(notification)}
            onToggle={() => onToggle(notification)}
            onLeave={onLeave}
          />
        ))}
      </DividedList>
    </section>
  );
}

const DayHeading = styled.h3`
  padding: ${theme.space[2]} ${theme.space[4]};
  background: ${theme.color.sunken};
  font: 500 ${theme.text.sm};
  color: ${theme.color.text2};
  /* The first one is at the rounded edge of the card, where the bar is on a screen. */
  @media print {
    background: none;
  }
`;
