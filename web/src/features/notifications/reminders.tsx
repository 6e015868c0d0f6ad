import { Bell } from 'lucide-react';
import { useEffect } from 'react';
import { reminderWords } from '../../entities/notification/notification-words.ts';
import { type Notification, useNotifications } from '../../entities/notification/use-notifications.ts';
import { useNow } from '../../lib/hooks/use-now.ts';
import { deviceStorage } from '../../lib/session/storage.ts';
import { showInfo } from '../../ui/overlays/toast.ts';

/** The ids of reminders that some tab has shown. */
const SHOWN = 'atrium:reminders-shown';
const MOST = 50;

/** Says of each meeting that begins soon that it does: once, in a tab that somebody looks at. */
export function Reminders() {
  const { data } = useNotifications();
  const now = useNow();
  useEffect(() => {
    if (document.visibilityState === 'hidden') return;
    for (const notification of data?.data ?? []) remind(notification, now);
  }, [data, now]);
  return null;
}

function remind(notification: Notification, now: number): void {
  const words = reminderWords(notification, now);
  const shown = deviceStorage.read(SHOWN)?.split(',') ?? [];
  if (words === undefined || shown.includes(notification._id)) return;
  deviceStorage.write(SHOWN, [notification._id, ...shown].slice(0, MOST).join());
  showInfo(Bell, words);
}
