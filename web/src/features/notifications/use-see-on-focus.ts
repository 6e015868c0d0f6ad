import { useEffect } from 'react';
import { areNotificationsUnseen } from '#entities/notification/use-notifications.ts';
import { useRefetch } from '#lib/query/use-refetch.ts';
import { isUserActive, onWindowFocus } from '#lib/window-focus.ts';

/** Requests the notifications once more when the user returns, so that they count as seen. */
export function useSeeOnFocus(): void {
  const refetch = useRefetch();
  useEffect(() => {
    return onWindowFocus(() => {
      if (areNotificationsUnseen() && isUserActive()) refetch('/notifications');
    });
  }, [refetch]);
}
