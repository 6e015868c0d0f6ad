import { useEffect } from 'react';
import { areNotificationsUnseen } from '#entities/notification/use-notifications.ts';
import { useRefetch } from '#lib/query/use-refetch.ts';
import { isUserActive, onWindowFocus } from '#lib/window-focus.ts';

const CHECK_INTERVAL_MS = 15_000;

/**
 * Requests the notifications once more when the user returns, and regularly while they use the window, so that they
 * count as seen, and pushes wait for a moment.
 */
export function useSeeNotifications(): void {
  const refetch = useRefetch();
  useEffect(() => {
    const see = () => {
      if (isUserActive() && areNotificationsUnseen()) refetch('/notifications');
    };
    const stop = onWindowFocus(see);
    const timer = setInterval(see, CHECK_INTERVAL_MS);
    return () => {
      stop();
      clearInterval(timer);
    };
  }, [refetch]);
}
