import type { Message } from '@atrium/proto-events/http/chat-messages';
import type { Reacted } from '@atrium/proto-events/realtime';
import type { Caller } from '@atrium/service-kit/http/authenticate';
import type { Queryable } from '@atrium/service-kit/postgres/postgres';
import type { Deps } from '../deps.ts';
import { findMessageAttachments } from '../model/attachment-repository.ts';
import type { MessageRow } from '../model/message-repository.ts';
import {
  presentAttachment,
  presentMessage,
  presentMessageFor,
  presentSharedReactions,
  presentSharedThread,
} from '../model/present-message.ts';
import { findReactions } from '../model/reaction-repository.ts';
import { findThread } from '../model/thread-repository.ts';
import { findMessageReaders } from './read-by.ts';

const NOBODY = '';

const findThreadOf = async (db: Queryable, row: MessageRow, viewerId: string) =>
  row.thread_version === 0 ? undefined : findThread(db, row.message_id, viewerId);

/** Presents a message with what is stored about it. */
export async function presentStoredMessage(deps: Deps, caller: Caller, row: MessageRow): Promise<Message> {
  const [readBy, files, reactions, thread] = await Promise.all([
    findMessageReaders(deps.db, deps.directory, row),
    findMessageAttachments(deps.db, row),
    findReactions(deps.db, row, caller.userId),
    findThreadOf(deps.db, row, caller.userId),
  ]);
  return presentMessageFor(deps, row, { caller, readBy, files, reactions, thread });
}

/** Call it after the commit. */
export async function broadcastChange(
  { db, directory, broadcaster }: Deps,
  row: MessageRow,
  change: { revision: number | undefined; reacted?: Reacted },
): Promise<void> {
  const [files, reactions, thread] = await Promise.all([
    findMessageAttachments(db, row),
    findReactions(db, row, NOBODY),
    findThreadOf(db, row, NOBODY),
  ]);
  const shown = {
    attachments: files.map(presentAttachment),
    reactions: presentSharedReactions(directory, reactions),
    thread: thread ? presentSharedThread(directory, thread) : null,
  };
  const inThread = row.parent_id === null ? {} : { thread: row.conversation_id };
  await broadcaster.messageUpdated(presentMessage(directory, row, shown), { ...change, ...inThread });
}
