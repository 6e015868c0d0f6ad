import type { Notification } from '#entities/notification/use-notifications.ts';
import { showErrorToast, showUndoable } from '#ui/overlays/toast.ts';
import { useAction } from '#ui/overlays/use-action.ts';
import { useMarkRead } from './use-mark-read.ts';

/** Marks notifications as read or unread, and offers to undo it. */
export function useUndoableReading() {
  const { markRead, markUnread, markAllRead } = useMarkRead();
  const undo = (ids: readonly string[]) => () =>
    void markUnread(ids).catch((error) => showErrorToast(error, 'Failed to mark as unread'));
  const all = useAction(async (latest: Notification) => {
    const ids = await markAllRead(latest);
    showUndoable(
      ids.length === 1 ? 'Marked 1 notification as read' : `Marked ${ids.length} notifications as read`,
      undo(ids),
    );
  }, 'Failed to mark the notifications as read');
  const toggle = useAction(async (notification: Notification) => {
    if (notification.readAt !== null) return markUnread([notification._id]);
    showUndoable('Marked as read', undo([notification._id]));
    await markRead(notification);
  }, 'Failed to mark the notification');
  const open = useAction(markRead, 'Failed to mark the notification as read');
  return { all, toggle, open, failure: open.failure ?? toggle.failure ?? all.failure };
}
