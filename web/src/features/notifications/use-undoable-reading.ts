import type { Notification } from '#entities/notification/use-notifications.ts';
import { formatNumber } from '#lib/number-formats.ts';
import { showErrorToast, showUndoable } from '#ui/overlays/toast.ts';
import { useAction } from '#ui/overlays/use-action.ts';
import { MAX_UNDONE, useMarkRead } from './use-mark-read.ts';

/** Marks notifications as read or unread, and offers to undo it. */
export function useUndoableReading() {
  const { markRead, markUnread, markAllRead } = useMarkRead();
  const undo = (ids: readonly string[]) => () =>
    void markUnread(ids).catch((error) => showErrorToast(error, 'Failed to mark as unread'));
  const all = useAction(async (latest: Notification) => {
    const ids = await markAllRead(latest);
    if (ids.length > 0) showUndoable(`Marked ${countText(ids.length)} as read`, undo(ids));
  }, 'Failed to mark the notifications as read');
  const toggle = useAction(async (notification: Notification) => {
    if (notification.readAt !== null) return markUnread([notification._id]);
    showUndoable('Marked as read', undo([notification._id]));
    await markRead(notification);
  }, 'Failed to mark the notification');
  const open = useAction(markRead, 'Failed to mark the notification as read');
  return { all, toggle, open, failure: open.failure ?? toggle.failure ?? all.failure };
}

/** '1 notification', '62 notifications'; what else was unread beyond the maximum was not counted. */
function countText(count: number): string {
  if (count >= MAX_UNDONE) return `at least ${formatNumber(count)} notifications`;
  return count === 1 ? '1 notification' : `${count} notifications`;
}
