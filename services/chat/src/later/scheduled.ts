import { randomUUID } from 'node:crypto';
import type { Draft } from '@atrium/proto-events/http/chat/drafts';
import { MAX_SCHEDULED, type ScheduledMessage, TOO_MANY_SCHEDULED } from '@atrium/proto-events/http/chat/scheduled';
import { AppError, notFound } from '@atrium/service-kit/errors/app-error';
import type { Caller } from '@atrium/service-kit/http/authenticate';
import { toLimits, toPage } from '@atrium/service-kit/http/page';
import type { Queryable } from '@atrium/service-kit/postgres/postgres';
import { newId } from '@atrium/service-kit/process/new-id';
import type { Deps } from '../deps.ts';
import { assertCanMention } from '../messages/assert-can-mention.ts';
import { assertCanSend } from '../messages/assert-can-send.ts';
import { REUSED_ID } from '../messages/new-message.ts';
import { deleteSentDraft } from '../model/messages/draft-repository.ts';
import { findSentMessage } from '../model/messages/message-repository.ts';
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

/** A retry with the same `clientMessageId` returns the scheduled message. */
export async function scheduleMessage(deps: Deps, caller: Caller, params: ScheduleParams): Promise<ScheduledMessage> {
  const { db, broadcaster } = deps;
  const { userId } = caller;
  await assertCanSend(db, caller, params);
  const scheduled = toNewScheduled(userId, params);
  const existing = await findExisting(db, scheduled);
  if (existing) return presentScheduled(deps, existing);
  await assertDueTime(db, params.sendAt);
  await assertCanMention(db, toMentioning(caller, scheduled));
  const inserted = await db.transaction((tx) => insert(deps, tx, scheduled));
  // A concurrent request with the same id was first.
  if (!inserted) return scheduleMessage(deps, caller, params);
  const { row, removedDraft } = inserted;
  broadcaster.scheduledChanged(userId, row.scheduled_id);
  if (removedDraft) broadcaster.draftChanged(userId, removedDraft);
  return presentScheduled(deps, row);
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
async function findExisting(db: Queryable, scheduled: NewScheduled): Promise<ScheduledRow | undefined> {
  const { user_id: sender, client_message_id: clientMessageId, conversation_id, thread_id } = scheduled;
  const existing = await findScheduledByClientId(db, sender, clientMessageId);
  if (existing?.conversation_id === conversation_id && existing.thread_id === thread_id) return existing;
  const conversation = thread_id ?? conversation_id;
  if (existing || (await findSentMessage(db, { conversation, sender, clientMessageId })))
    throw new AppError('conflict', REUSED_ID);
  return undefined;
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
      await assertCanSend(tx, caller, toPlacement(scheduled));
      await assertDueTime(tx, changes.sendAt);
    }
    const { content = scheduled.content } = changes;
    await assertCanMention(tx, toMentioning(caller, { ...scheduled, content }));
    return (await updateScheduled(tx, id, changes)) ?? scheduled;
  });
  deps.broadcaster.scheduledChanged(caller.userId, id);
  return presentScheduled(deps, row);
}

export const toPlacement = ({ conversation_id, thread_id, also_in_conversation }: ScheduledRow) => ({
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
