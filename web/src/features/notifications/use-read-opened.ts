import type { markNotificationsRead } from '@atrium/proto-events/http/notifications';
import { useEffect } from 'react';
import { useLocation } from 'react-router-dom';
import { call } from '#lib/api/api.ts';
import { isId } from '#lib/paths.ts';
import { useRefetch } from '#lib/query/use-refetch.ts';
import { isWindowFocused, onWindowFocus } from '#lib/window-focus.ts';

/**
 * What the page and its dialogs show is in the URL. Team Chat has read positions instead, except in threads that the user
 * does not follow.
 */
export function listOpened(pathname: string, search: string): string[] {
  const parameters = new URLSearchParams(search);
  const texts = pathname === '/chat' ? parameters.getAll('thread') : [...pathname.split('/'), ...parameters.values()];
  return [...new Set(texts.filter(isId))];
}

/** Marks notifications about what the user has opened as read. If that fails, they stay unread. */
export function useReadOpened(unreadCount: number): void {
  const { pathname, search } = useLocation();
  const refetch = useRefetch();
  const opened = listOpened(pathname, search).join();
  useEffect(() => {
    if (unreadCount === 0 || opened === '') return;
    const read = () => {
      if (!isWindowFocused()) return;
      const requests = opened
        .split(',')
        .map((about) => call<typeof markNotificationsRead>('POST /notifications/read', { body: { about } }));
      void Promise.allSettled(requests).then((results) => {
        if (results.some((result) => result.status === 'fulfilled' && result.value.updatedCount > 0))
          refetch('/notifications');
      });
    };
    read();
    return onWindowFocus(read);
  }, [opened, unreadCount, refetch]);
}
