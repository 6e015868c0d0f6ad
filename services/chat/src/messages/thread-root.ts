import { NOT_A_ROOT } from '@atrium/proto-events/http/chat/message-text';
import { AppError, notFound } from '@atrium/service-kit/errors/app-error';
import type { Queryable } from '@atrium/service-kit/postgres/postgres';
import { conversationOf, findMessage, type MessageRow } from '../model/messages/message-repository.ts';
import { MESSAGE_DELETED } from './change-message.ts';

type FindRootParams = { id: string; userId: string; conversation?: string };

/** Finds a message that can have replies, in a conversation if one is given. Throws `not_found` or `validation_failed`. */
export async function findRoot(db: Queryable, { id, userId, conversation }: FindRootParams): Promise<MessageRow> {
  const root = await findMessage(db, id, userId);
  if (!root?.is_participant) throw notFound('Message');
  if (conversation !== undefined && conversationOf(root) !== conversation) throw notFound('Message');
  if (root.parent_id !== null) throw new AppError('validation_failed', NOT_A_ROOT, { messages: [NOT_A_ROOT] });
  return root;
}

/** An existing thread can be continued after the deletion of its root; a new one cannot be started. */
export function assertCanHaveThread({ deleted_at, thread_version }: MessageRow): void {
  if (deleted_at !== null && thread_version === 0) throw new AppError('conflict', MESSAGE_DELETED);
}
