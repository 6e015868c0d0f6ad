import { randomUUID } from 'node:crypto';
import type { Draft } from '@atrium/proto-events/http/chat/drafts';
import type { Message } from '@atrium/proto-events/http/chat/messages';
import { MAX_SCHEDULED, type ScheduledMessage, TOO_MANY_SCHEDULED } from '@atrium/proto-events/http/chat/scheduled';
import { AppError, notFound } from '@atrium/service-kit/errors/app-error';
import type { Caller } from '@atrium/service-kit/http/authenticate';
import { toLimits, toPage } from '@atrium/service-kit/http/page';
import type { Queryable } from '@atrium/service-kit/postgres/postgres';
import { newId } from '@atrium/service-kit/process/new-id';
import type { Deps } from '../deps.ts';
import { assertCanMention } from '../messages/assert-can-mention.ts';
import { assertCanSend } from '../messages/assert-can-send.ts';
import { findRetried } from '../messages/find-retried.ts';
import { REUSED_ID } from '../messages/new-message.ts';
import { presentStoredMessage } from '../messages/present-stored-message.ts';
import { deleteSentDraft } from '../model/messages/draft-repository.ts';
import { type MessageRow, replaceNullCharacters } from '../model/messages/message-repository.ts';
import { presentDraft } from '../model/messages/present-draft.ts';
import { presentMentions } from '../model/messages/present-message.ts';
import {
  countScheduled,
  deleteScheduledRow,
  findScheduledByClientId,
  insertScheduled,
  listScheduledRows,
  lockScheduled,
  type NewScheduled,
  type ScheduledRow,
  updateScheduled,
} from '../model/messages/scheduled-repository.ts';
import { assertDueTime } from './due-time.ts';

type ScheduleParams = {
  conversation: string;
  content: string;
  sendAt: string;
  clientMessageId?: string | undefined;
  thread?: string | undefined;
  alsoInConversation: boolean;
};

type Scheduled = { accepted: ScheduledMessage } | Message;

/** A retry with the same `clientMessageId` returns the scheduled message, or the message that it was sent as. */
export async function scheduleMessage(deps: Deps, caller: Caller, params: ScheduleParams): Promise<Scheduled> {
  const { db, broadcaster } = deps;
  const { userId } = caller;
  const scheduled = toNewScheduled(userId, params);
  const existing = await findScheduled(db, scheduled);
  if (existing) return { accepted: presentScheduled(deps, existing) };
  const sentMessage = await findSent(db, scheduled);
  if (sentMessage) return presentStoredMessage(deps, caller, sentMessage);
  await assertCanSend(db, caller, params);
  await assertDueTime(db, params.sendAt);
  await assertCanMention(db, toMentioning(caller, scheduled));
  const inserted = await db.transaction((tx) => insert(deps, tx, scheduled));
  // A concurrent request with the same id was first.
  if (!inserted) return scheduleMessage(deps, caller, params);
  const { row, removedDraft } = inserted;
  broadcaster.scheduledChanged(userId, row.scheduled_id);
  if (removedDraft) broadcaster.draftChanged(userId, removedDraft);
  return { accepted: presentScheduled(deps, row) };
}

const toMentioning = ({ userId, role }: Caller, scheduled: Pick<ScheduledRow, 'conversation_id' | 'content'>) => ({
  ...scheduled,
  sender_id: userId,
  is_manager: role === 'admin',
});

const toNewScheduled = (userId: string, params: ScheduleParams): NewScheduled => ({
  scheduled_id: newId(),
  user_id: userId,
  conversation_id: params.conversation,
  thread_id: params.thread ?? null,
  also_in_conversation: params.thread !== undefined && params.alsoInConversation,
  content: params.content,
  client_message_id: params.clientMessageId ?? randomUUID(),
  send_at: params.sendAt,
});

/** Throws `conflict` if the id was used for another message, instead of which this one would not be sent. */
async function findScheduled(db: Queryable, scheduled: NewScheduled): Promise<ScheduledRow | undefined> {
  const existing = await findScheduledByClientId(db, scheduled.user_id, scheduled.client_message_id);
  if (existing && !isSamePlace(existing, scheduled)) throw new AppError('conflict', REUSED_ID);
  return existing;
}

const isSamePlace = (a: Place, b: Place) => a.conversation_id === b.conversation_id && a.thread_id === b.thread_id;

type Place = Pick<ScheduledRow, 'conversation_id' | 'thread_id'>;

/** Returns undefined also if the sender has left the conversation. Throws `conflict` for another text. */
async function findSent(db: Queryable, scheduled: NewScheduled): Promise<MessageRow | undefined> {
  const { user_id: userId, client_message_id: clientMessageId, conversation_id: conversation, thread_id } = scheduled;
  const sentMessage = await findRetried(
    db,
    { userId },
    { conversation, thread: thread_id ?? undefined, clientMessageId },
  );
  if (!sentMessage) return undefined;
  const { deleted_at, edited_at, content } = sentMessage;
  const isChanged = deleted_at !== null || edited_at !== null;
  if (!isChanged && content !== replaceNullCharacters(scheduled.content)) throw new AppError('conflict', REUSED_ID);
  return sentMessage;
}

/** Returns undefined if the `clientMessageId` was used. */
async function insert({ directory }: Deps, tx: Queryable, scheduled: NewScheduled): Promise<Inserted | undefined> {
  const { user_id: userId, conversation_id, thread_id, content } = scheduled;
  const row = await insertScheduled(tx, scheduled);
  if (!row) return undefined;
  if ((await countScheduled(tx, userId)) > MAX_SCHEDULED)
    throw new AppError('validation_failed', TOO_MANY_SCHEDULED, { messages: [TOO_MANY_SCHEDULED] });
  const draft = await deleteSentDraft(tx, { userId, logId: thread_id ?? conversation_id }, content);
  return { row, removedDraft: draft && presentDraft(directory, draft) };
}

type Inserted = { row: ScheduledRow; removedDraft: Draft | undefined };

export async function listScheduled(deps: Deps, caller: Caller, query: { page: number; limit: number }) {
  const { rows, total } = await listScheduledRows(deps.db, caller.userId, toLimits(query));
  return toPage(
    rows.map((row) => presentScheduled(deps, row)),
    total,
    query,
  );
}

type ChangeParams = { id: string; content?: string | undefined; sendAt?: string | undefined };

export async function changeScheduled(
  deps: Deps,
  caller: Caller,
  { id, ...changes }: ChangeParams,
): Promise<ScheduledMessage> {
  const row = await deps.db.transaction(async (tx) => {
    const scheduled = await lockScheduled(tx, { id, userId: caller.userId });
    if (!scheduled) throw notFound('Scheduled message');
    if (changes.sendAt !== undefined) {
      await assertCanSend(tx, caller, toDestination(scheduled));
      await assertDueTime(tx, changes.sendAt);
    }
    const { content = scheduled.content } = changes;
    await assertCanMention(tx, toMentioning(caller, { ...scheduled, content }));
    return (await updateScheduled(tx, id, changes)) ?? scheduled;
  });
  deps.broadcaster.scheduledChanged(caller.userId, id);
  return presentScheduled(deps, row);
}

export const toDestination = ({ conversation_id, thread_id, also_in_conversation }: ScheduledRow) => ({
  conversation: conversation_id,
  thread: thread_id ?? undefined,
  alsoInConversation: also_in_conversation,
});

export async function deleteScheduled({ db, broadcaster }: Deps, { userId }: Caller, id: string): Promise<void> {
  if (!(await deleteScheduledRow(db, id, userId))) throw notFound('Scheduled message');
  broadcaster.scheduledChanged(userId, id);
}

const presentScheduled = ({ directory }: Deps, row: ScheduledRow): ScheduledMessage => ({
  _id: row.scheduled_id,
  conversation: row.conversation_id,
  thread: row.thread_id,
  alsoInConversation: row.also_in_conversation,
  content: row.content,
  mentions: presentMentions(directory, row.content),
  sendAt: row.send_at.toISOString(),
  failure: row.failure,
  createdAt: row.created_at.toISOString(),
});
