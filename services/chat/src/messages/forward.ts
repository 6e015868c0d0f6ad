import type { RequestOf } from '@atrium/proto-events/endpoint';
import type { forwardMessage as contract } from '@atrium/proto-events/http/chat/forwarding';
import type { Message } from '@atrium/proto-events/http/chat/messages';
import { AppError, notFound } from '@atrium/service-kit/errors/app-error';
import type { Caller } from '@atrium/service-kit/http/authenticate';
import type { Queryable } from '@atrium/service-kit/postgres/postgres';
import { newId } from '@atrium/service-kit/process/new-id';
import type { Deps } from '../deps.ts';
import { findMessageAttachments, forwardAttachments } from '../model/messages/attachment-repository.ts';
import { setForwarded } from '../model/messages/forwarding-repository.ts';
import {
  conversationOf,
  findMessage,
  type MessageRow,
  type StoredForward,
} from '../model/messages/message-repository.ts';
import { insertMessage, resolveSendConflicts } from '../model/messages/sending-repository.ts';
import { assertCanMention } from './assert-can-mention.ts';
import { MESSAGE_DELETED } from './change-message.ts';
import { findRetried } from './find-retried.ts';
import { newMessage, REUSED_ID, type SentMessage } from './new-message.ts';
import { presentStoredMessage } from './present-stored-message.ts';
import { broadcastSentMessage, explainRejection } from './send-message.ts';

type ForwardParams = { id: string } & NonNullable<RequestOf<typeof contract>['body']>;

export async function forwardMessage(deps: Deps, caller: Caller, params: ForwardParams): Promise<Message> {
  const sent = await resolveSendConflicts(() => deps.db.transaction((tx) => insertForward(tx, caller, params)));
  if (!sent) throw await explainRejection(deps.db, caller, params.conversation);
  if (sent.is_retry && sent.deleted_at === null && !sent.forwarded) throw new AppError('conflict', REUSED_ID);
  broadcastSentMessage(deps, sent);
  return presentStoredMessage(deps, caller, sent);
}

/** Returns undefined if the caller is not in the conversation, or cannot write there. */
async function insertForward(
  tx: Queryable,
  caller: Caller,
  { id, conversation, comment, clientMessageId }: ForwardParams,
): Promise<SentMessage | undefined> {
  // The original may have been deleted since.
  const retried = await findRetried(tx, caller, { conversation, clientMessageId });
  if (retried) return retried;
  const original = await findMessage(tx, id, caller.userId);
  if (!original?.is_participant) throw notFound('Message');
  if (original.deleted_at !== null) throw new AppError('conflict', MESSAGE_DELETED);
  const { message, event } = newMessage(caller, newId(), { conversation, content: comment, clientMessageId });
  await assertCanMention(tx, message);
  const sent = await insertMessage(tx, message, event);
  if (!sent || sent.is_retry) return sent;
  const forwarded = original.forwarded ?? toForward(original);
  await setForwarded(tx, sent, forwarded);
  return { ...sent, forwarded, attachments: await copyFiles(tx, original, sent) };
}

const toForward = (original: MessageRow): StoredForward => ({
  message: original.message_id,
  conversation: conversationOf(original),
  sender: original.sender_id,
  content: original.content,
  createdAt: new Date(original.created_at).toISOString(),
});

async function copyFiles(tx: Queryable, original: MessageRow, forward: MessageRow) {
  const files = await findMessageAttachments(tx, original);
  if (files.length === 0) return [];
  const copies = await forwardAttachments(tx, original, forward);
  // It was deleted in the meantime.
  if (copies.length < files.length) throw new AppError('conflict', MESSAGE_DELETED);
  return copies;
}
