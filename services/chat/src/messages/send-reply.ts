import { replySent } from '@atrium/proto-events/events/chat';
import { listMentions } from '@atrium/proto-events/text/mentions';
import { AppError } from '@atrium/service-kit/errors/app-error';
import { outboxRow } from '@atrium/service-kit/messaging/outbox';
import type { Queryable } from '@atrium/service-kit/postgres/postgres';
import type { Deps } from '../deps.ts';
import type { MessageRow } from '../model/messages/message-repository.ts';
import {
  presentAttachment,
  presentMessage,
  presentSharedThread,
  presentThreadState,
} from '../model/messages/present-message.ts';
import { insertMessage, insertReply, type NewMessage, type SentRow } from '../model/messages/sending-repository.ts';
import {
  ensureThread,
  findThread,
  insertFollowers,
  listFollowers,
  type ThreadRow,
  updateRoot,
} from '../model/messages/thread-repository.ts';
import { ARCHIVED, POSTING_DENIED } from '../model/policy.ts';
import { appendChanges } from './change-message.ts';
import { newMessage, type SentMessage } from './new-message.ts';
import { UNREAD } from './read-by.ts';
import { assertCanHaveThread, findRoot } from './thread-root.ts';

export type NewReply = { message: NewMessage; rootId: string; alsoInConversation: boolean };

export type SentReply = SentMessage & {
  /** Missing for a retry. */
  sent?: { copy: SentRow | undefined; thread: ThreadRow; followerIds: string[]; revision: number | undefined };
};

/** Returns undefined if the sender is not a participant. Call it in `resolveSendConflicts`. */
export async function insertReplyAndCopy(
  tx: Queryable,
  { message, rootId, alsoInConversation }: NewReply,
): Promise<SentReply | undefined> {
  const { conversation_id, sender_id, message_id } = message;
  // Locked before the thread, in the same order as by its deletion.
  const { rows } = await tx.query<{ is_archived: boolean }>(
    `select archived_at is not null as is_archived from conversations where conversation_id = $1 for no key update`,
    [conversation_id],
  );
  const root = await findRoot(tx, { id: rootId, userId: sender_id, conversation: conversation_id });
  assertCanHaveThread(root);
  if (rows[0]?.is_archived) throw new AppError('conflict', ARCHIVED);
  await follow(tx, root, message);
  const reply = await insertReply(tx, { ...message, conversation_id: rootId }, replyEvent(message, rootId));
  if (!reply || reply.is_retry) return reply;
  const copy = alsoInConversation ? await insertCopy(tx, message, rootId) : undefined;
  const changedRoot = await updateRoot(tx, root);
  const [change] = changedRoot ? await appendChanges(tx, [changedRoot], 'replies', sender_id) : [];
  const thread = await findThread(tx, rootId, sender_id);
  if (!thread) throw new Error(`No thread after the reply ${message_id}`);
  const followerIds = await listFollowers(tx, rootId);
  return { ...reply, sent: { copy, thread, followerIds, revision: change?.revision } };
}

/** The author of the root follows it from the first reply on, and users who are mentioned or reply from then on. */
async function follow(tx: Queryable, root: MessageRow, { sender_id, content }: NewMessage): Promise<void> {
  const lastSeq = await ensureThread(tx, root);
  const { users } = listMentions(content);
  await insertFollowers(tx, root, [...users, sender_id, ...(lastSeq === 0 ? [root.sender_id] : [])]);
}

/** The SQL statement sets the seq. */
const replyEvent = ({ conversation_id, message_id, sender_id }: NewMessage, rootId: string) =>
  outboxRow({
    event: replySent,
    data: { conversationId: conversation_id, rootId, messageId: message_id, seq: 0, senderId: sender_id },
    aggregate: message_id,
    actorId: sender_id,
  });

async function insertCopy(tx: Queryable, message: NewMessage, rootId: string): Promise<SentRow> {
  const { event } = newMessage({ userId: message.sender_id }, message.message_id, {
    conversation: message.conversation_id,
    content: message.content,
  });
  const copy = await insertMessage(tx, { ...message, thread_id: rootId, removes_draft: false }, event);
  // The sender has just been found to be in the conversation.
  if (!copy) throw new AppError('forbidden', POSTING_DENIED);
  return copy;
}

/** Call it after the commit. */
export function broadcastReply(deps: Deps, reply: SentReply, exceptSocket?: string): void {
  const { sent, attachments } = reply;
  if (!sent) return;
  const files = attachments?.map(presentAttachment);
  const message = { ...presentMessage(deps.directory, reply, { attachments: files }), readBy: UNREAD };
  deps.broadcaster.replySent(message, {
    thread: presentSharedThread(deps.directory, sent.thread),
    revision: sent.revision,
    followerIds: sent.followerIds.filter((userId) => userId !== message.sender._id),
    state: presentThreadState(message.conversation, sent.thread),
    exceptSocket,
  });
}
