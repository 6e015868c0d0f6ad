import type { Message } from '@atrium/proto-events/http/chat/messages';
import { AppError, notFound } from '@atrium/service-kit/errors/app-error';
import type { Caller } from '@atrium/service-kit/http/authenticate';
import type { OutboxRow } from '@atrium/service-kit/messaging/outbox';
import type { Queryable } from '@atrium/service-kit/postgres/postgres';
import { crashPoint } from '@atrium/service-kit/process/crash-point';
import { newId } from '@atrium/service-kit/process/new-id';
import type { Deps } from '../deps.ts';
import { findConversation } from '../model/conversations/conversation-repository.ts';
import { filterParticipants } from '../model/conversations/participant-repository.ts';
import { conversationOf } from '../model/messages/message-repository.ts';
import { presentDraft } from '../model/messages/present-draft.ts';
import { presentAttachment, presentMessage, presentMessageFor } from '../model/messages/present-message.ts';
import { presentPoll } from '../model/messages/present-parts.ts';
import { insertMessage, type NewMessage, resolveSendConflicts } from '../model/messages/sending-repository.ts';
import { ARCHIVED, canPost, POSTING_DENIED } from '../model/policy.ts';
import { assertCanMention } from './assert-can-mention.ts';
import { findRetried } from './find-retried.ts';
import { type MessageContent, newMessage, type SentMessage } from './new-message.ts';
import { presentStoredMessage } from './present-stored-message.ts';
import { UNREAD } from './read-by.ts';
import { broadcastReply, insertReplyAndCopy, type SentReply } from './send-reply.ts';

type ReplyOptions = { thread?: string | undefined; alsoInConversation?: boolean };

type SendMessageParams = MessageContent &
  ReplyOptions & {
    /** This socket receives the acknowledgment instead of `message:new`. */
    socketId?: string;
  };

export async function sendMessage(deps: Deps, caller: Caller, params: SendMessageParams): Promise<Message> {
  const prepared = newMessage(caller, newId(), { ...params, removesDraft: true });
  const sentMessage = await resolveSendConflicts(() =>
    // Without a thread, it is a single statement.
    params.thread === undefined
      ? insertMessageOrReply(deps.db, prepared, params)
      : deps.db.transaction((tx) => insertMessageOrReply(tx, prepared, params)),
  );
  if (!sentMessage) throw await explainRejection(deps.db, caller, params.conversation);
  broadcastSentMessage(deps, sentMessage, params.socketId);
  return presentSentMessage(deps, caller, sentMessage);
}

/** Returns the error for a message that was not inserted. */
export async function explainRejection(db: Queryable, caller: Caller, conversation: string): Promise<AppError> {
  const row = await findConversation(db, conversation, caller.userId, 0);
  if (!row || row.last_read_seq === null) return notFound('Conversation');
  if (row.archived_at !== null) return new AppError('conflict', ARCHIVED);
  return canPost(caller, row) ? notFound('Conversation') : new AppError('forbidden', POSTING_DENIED);
}

/** Inserts a message or a reply. Call it in `resolveSendConflicts`. */
export async function insertMessageOrReply(
  tx: Queryable,
  { message, event }: { message: NewMessage; event: OutboxRow },
  { thread, alsoInConversation = false }: ReplyOptions,
): Promise<SentReply | undefined> {
  if (thread === undefined) {
    await assertCanMention(tx, message);
    return insertMessage(tx, message, event);
  }
  // Whatever has changed since may prevent another reply, but not the response to the first request.
  const retried = await findRetried(
    tx,
    { userId: message.sender_id },
    {
      conversation: message.conversation_id,
      thread,
      clientMessageId: message.client_message_id ?? undefined,
    },
  );
  if (retried) return retried;
  await assertCanMention(tx, message);
  return insertReplyAndCopy(tx, { message, rootId: thread, alsoInConversation });
}

/** Call it after the commit. */
export function broadcastSentMessage(deps: Deps, sentMessage: SentReply, exceptSocket?: string): void {
  crashPoint('after-message-before-announcement');
  if (sentMessage.is_retry) return;
  deps.db.notifyCommitted();
  const { sent, attachments } = sentMessage;
  broadcastRemovedDraft(deps, sentMessage);
  const copy = sent ? sent.copy && { ...sent.copy, ...(attachments && { attachments }) } : sentMessage;
  if (sent) broadcastReply(deps, sentMessage, exceptSocket);
  if (copy) broadcastNew(deps, copy, sent ? undefined : exceptSocket);
}

function broadcastRemovedDraft({ broadcaster, directory }: Deps, sentMessage: SentMessage): void {
  const { sender_id, conversation_id: log_id, draft_version: version } = sentMessage;
  if (typeof version !== 'number') return;
  const removed = { log_id, conversation_id: conversationOf(sentMessage), content: '', version };
  broadcaster.draftChanged(sender_id, presentDraft(directory, removed));
}

function broadcastNew(deps: Deps, sentMessage: SentMessage, exceptSocket?: string): void {
  const attachments = sentMessage.attachments?.map(presentAttachment);
  const poll =
    sentMessage.poll && presentPoll(deps.directory, sentMessage.poll, { votes: undefined, isPersonal: false });
  const message = { ...presentMessage(deps.directory, sentMessage, { attachments, poll }), readBy: UNREAD };
  const { conversation_version: conversationVersion, unread_count, read_revision } = sentMessage;
  deps.broadcaster.messageSent(message, {
    conversationVersion,
    unreadCount: unread_count ?? 0,
    readRevision: read_revision ?? 0,
    exceptSocket,
  });
}

export async function presentSentMessage(deps: Deps, caller: Caller, sentMessage: SentMessage): Promise<Message> {
  if (sentMessage.is_retry) return presentStoredMessage(deps, caller, sentMessage);
  const files = sentMessage.attachments ?? [];
  const message = presentMessageFor(deps, sentMessage, { caller, readBy: UNREAD, files, reactions: [] });
  const unreachable = await findUnreachable(deps, message);
  return unreachable.length > 0 ? { ...message, unreachable } : message;
}

/** Returns mentioned users who are not in the conversation. */
async function findUnreachable({ db, directory }: Deps, { conversation, mentions: { users } }: Message) {
  if (users.length === 0) return [];
  const ids = users.map(({ _id }) => _id);
  const participants = new Set(await filterParticipants(db, conversation, ids));
  return users.filter(({ _id }) => !participants.has(_id) && directory.user(_id) !== undefined);
}
