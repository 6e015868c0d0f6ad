import type { Message } from '@atrium/proto-events/http/chat/messages';
import type { Reacted } from '@atrium/proto-events/realtime';
import type { Caller } from '@atrium/service-kit/http/authenticate';
import type { Deps } from '../deps.ts';
import { findMessageAttachments, listMessageAttachments } from '../model/messages/attachment-repository.ts';
import { listVisibleOrigins } from '../model/messages/forwarding-repository.ts';
import { type MessageRow, NO_VIEWER } from '../model/messages/message-repository.ts';
import { listPolls } from '../model/messages/poll-repository.ts';
import {
  presentAttachment,
  presentMessage,
  presentMessageFor,
  presentSharedReactions,
  presentSharedThread,
} from '../model/messages/present-message.ts';
import { presentPoll } from '../model/messages/present-parts.ts';
import { listReactions } from '../model/messages/reaction-repository.ts';
import { listSavedIds } from '../model/messages/saved-messages.ts';
import { listThreadsOf } from '../model/messages/thread-repository.ts';
import { afterCommit } from '../sockets/after-commit.ts';
import { findMessageReaders } from './read-by.ts';

/** Presents a message with what is stored about it. */
export async function presentStoredMessage(deps: Deps, caller: Caller, row: MessageRow): Promise<Message> {
  const [readBy, message] = await Promise.all([
    findMessageReaders(deps.db, deps.directory, row),
    presentWithoutReaders(deps, caller, row),
  ]);
  return { ...message, readBy };
}

/** For frequent changes, because all readers are counted: in a large conversation, they are thousands. */
export async function presentWithoutReaders(deps: Deps, caller: Caller, row: MessageRow): Promise<Message> {
  const [message] = await presentListed(deps, caller, [row]);
  if (!message) throw new Error('A message was not presented');
  return message;
}

/** Presents messages of several conversations with what is stored about them, except who has read them. */
export async function presentListed(deps: Deps, caller: Caller, rows: readonly MessageRow[]): Promise<Message[]> {
  if (rows.length === 0) return [];
  const { db } = deps;
  const [allFiles, reactions, threads, saved, polls, origins] = await Promise.all([
    listMessageAttachments(db, rows),
    listReactions(db, rows, caller.userId),
    listThreadsOf(db, rows, caller.userId),
    listSavedIds(db, rows, caller.userId),
    listPolls(db, rows, caller.userId),
    listVisibleOrigins(db, rows, caller.userId),
  ]);
  const files = Map.groupBy(allFiles, placeOf);
  return rows.map((row) =>
    presentMessageFor(deps, row, {
      caller,
      files: files.get(placeOf(row)) ?? [],
      reactions: reactions.get(row.message_id) ?? [],
      thread: threads.get(row.message_id),
      isSaved: saved.has(row.message_id),
      votes: polls.get(row.message_id),
      origins,
    }),
  );
}

const placeOf = ({ conversation_id, seq }: { conversation_id: string; seq: number }) => `${conversation_id} ${seq}`;

/** A row of a message that has changed, with the revision of its conversation or thread. */
export type ChangedRow = { row: MessageRow; revision: number | undefined };

/** Call it after the commit. */
export async function broadcastChanges(
  deps: Deps,
  changes: readonly ChangedRow[],
  by: { reacted?: Reacted; voter?: string } = {},
): Promise<void> {
  await afterCommit(deps, async () => {
    for (const change of changes) await broadcastChange(deps, change, by);
  });
}

async function broadcastChange(
  { db, directory, broadcaster }: Deps,
  { row, revision }: ChangedRow,
  { reacted, voter }: { reacted?: Reacted; voter?: string },
): Promise<void> {
  const [files, reactions, threads, polls] = await Promise.all([
    findMessageAttachments(db, row),
    listReactions(db, [row], NO_VIEWER),
    listThreadsOf(db, [row], NO_VIEWER),
    listPolls(db, [row], voter ?? NO_VIEWER),
  ]);
  const votes = polls.get(row.message_id);
  const thread = threads.get(row.message_id);
  const shown = {
    attachments: files.map(presentAttachment),
    reactions: presentSharedReactions(directory, reactions.get(row.message_id) ?? []),
    thread: thread ? presentSharedThread(directory, thread) : null,
    poll: row.poll && presentPoll(directory, row.poll, { votes, isPersonal: false }),
  };
  const own = row.poll && presentPoll(directory, row.poll, { votes, isPersonal: true });
  await broadcaster.messageUpdated(presentMessage(directory, row, shown), {
    revision,
    ...(voter !== undefined && own && { voter: { userId: voter, poll: own } }),
    ...(reacted && { reacted }),
    ...(row.parent_id !== null && { thread: row.conversation_id }),
  });
}
