import { jumpToLatest } from '../log/load-messages.ts';
import { logOf } from '../log/message-store.ts';
import { startEdit } from './edits.ts';

/** Edits the user's latest message of a log, and returns focus to what has it now. */
export async function editLatestMessage(logId: string, currentUserId: string): Promise<void> {
  const opener = document.activeElement;
  await jumpToLatest(logId);
  // Who has started to type, or has gone elsewhere, keeps the focus.
  if (document.activeElement !== opener || (opener instanceof HTMLTextAreaElement && opener.value !== '')) return;
  const message = logOf(logId).messages.findLast(
    ({ sender, type, deleted }) => sender._id === currentUserId && type === 'text' && !deleted,
  );
  if (message) startEdit(logId, message, opener instanceof HTMLElement ? opener : null);
}
