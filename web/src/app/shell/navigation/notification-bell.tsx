import { Bell } from 'lucide-react';
import { Suspense, useRef, useState } from 'react';
import { styled } from 'styled-components';
import { useNotifications } from '#entities/notification/use-notifications.ts';
import { areNotificationsOn, usePreference } from '#features/notifications/device/device-preferences.ts';
import { useSeeNotifications } from '#features/notifications/use-see-notifications.ts';
import { useHasBeenTrue } from '#lib/hooks/use-has-been-true.ts';
import { useCloseOnNavigation } from '#lib/hooks/use-overlay-history.ts';
import { lazyNamed } from '#lib/lazy.ts';
import { Badge } from '#ui/badge.tsx';
import { IconButton } from '#ui/icon-button.tsx';

const NotificationPanel = lazyNamed(
  () => import('#features/notifications/notification-panel.tsx'),
  'NotificationPanel',
);
const DeviceNotifications = lazyNamed(
  () => import('#features/notifications/device/device-notifications.tsx'),
  'DeviceNotifications',
);
const UnreadNotifications = lazyNamed(
  () => import('#features/notifications/unread-notifications.tsx'),
  'UnreadNotifications',
);

export function NotificationBell({ placement }: { placement: 'bottom start' | 'bottom end' }) {
  const anchor = useRef<HTMLSpanElement>(null);
  const [isOpen, setOpen] = useState(false);
  const wasOpened = useHasBeenTrue(isOpen);
  useCloseOnNavigation(() => setOpen(false));
  const unread = useNotifications().data?.unreadCount ?? 0;
  return (
    <Anchor ref={anchor}>
      <IconButton
        label={unread > 0 ? `Notifications, ${unread} unread` : 'Notifications'}
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        onPress={() => setOpen(true)}
      >
        <Bell />
        <Badge count={unread} label="unread" />
      </IconButton>
      {wasOpened && (
        <Suspense fallback={null}>
          <NotificationPanel isOpen={isOpen} onClose={() => setOpen(false)} triggerRef={anchor} placement={placement} />
        </Suspense>
      )}
    </Anchor>
  );
}

/** What notifications do besides the bell. */
export function NotificationEffects() {
  useSeeNotifications();
  const hasBeenUnread = useHasBeenTrue((useNotifications().data?.unreadCount ?? 0) > 0);
  return (
    hasBeenUnread && (
      <Suspense fallback={null}>
        <UnreadNotifications />
      </Suspense>
    )
  );
}

/** Notifications of this device, if the user has turned them on. */
export function DeviceNotices() {
  const isOn = usePreference('notifications') && areNotificationsOn();
  return (
    isOn && (
      <Suspense fallback={null}>
        <DeviceNotifications />
      </Suspense>
    )
  );
}

const Anchor = styled.span`
  position: relative;
  flex: none;
  display: inline-flex;
  button > span {
    position: absolute;
    top: calc(50% - 18px);
    /* Anchored at the right edge, so that a longer number grows over the bell and not beyond the sidebar. */
    inset-inline-end: calc(50% - 20px);
    min-width: 18px;
    height: 18px;
    padding: 0 4px;
    line-height: 18px;
    pointer-events: none;
  }
`;
