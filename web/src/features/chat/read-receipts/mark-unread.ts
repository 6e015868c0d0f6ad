import type { Message } from '@atrium/proto-events/http/chat/messages';
import type { markConversationUnread, markThreadUnread } from '@atrium/proto-events/http/chat/unread';
import { call } from '#lib/api/api.ts';
import { createOwnerCheck } from '#lib/session/session.ts';
import { unread } from '#realtime/unread.ts';
import { showError, showErrorToast } from '#ui/overlays/toast.ts';
import { getRootOfLog } from '../log/log-id.ts';

const FAILED = 'Failed to mark as unread';
const announceNone = () => showError('Nothing to mark as unread', 'Your own messages are never unread.');

/** Marks a message of a log and everything after it as unread, in its conversation or its thread. */
export async function markUnread({ _id, conversation, seq }: Message, logId: string): Promise<void> {
  const root = getRootOfLog(logId);
  // The root of a thread is a message of the conversation.
  await (root === null || root === _id ? markUnreadFrom(conversation, seq) : markReplyUnread(conversation, root, seq));
}

/** Marks everything from a seq of a conversation on as unread. */
export async function markUnreadFrom(conversation: string, seq: number): Promise<void> {
  const isSameOwner = createOwnerCheck();
  try {
    const input = { params: { id: conversation }, body: { seq } };
    const state = await call<typeof markConversationUnread>('POST /chat/conversations/:id/unread', input);
    if (!isSameOwner()) return;
    unread.recordState({ conversation, ...state });
    if (state.unreadCount === 0) announceNone();
  } catch (error) {
    if (isSameOwner()) showErrorToast(error, FAILED);
  }
}

async function markReplyUnread(conversation: string, root: string, seq: number): Promise<void> {
  const isSameOwner = createOwnerCheck();
  try {
    const input = { params: { id: root }, body: { seq } };
    const state = await call<typeof markThreadUnread>('POST /chat/messages/:id/thread/unread', input);
    if (!isSameOwner()) return;
    unread.recordThreadState({ conversation, root, followed: true, ...state });
    if (state.unreadCount === 0) announceNone();
  } catch (error) {
    if (isSameOwner()) showErrorToast(error, FAILED);
  }
}
