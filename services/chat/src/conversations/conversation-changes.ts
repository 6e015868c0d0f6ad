import { conversationCreated, conversationDeleted, conversationUpdated } from '@atrium/proto-events/events/chat';
import { assertActiveUsers } from '@atrium/service-kit/directory/active-users';
import type { Directory } from '@atrium/service-kit/directory/directory';
import { notFound } from '@atrium/service-kit/errors/app-error';
import type { Caller } from '@atrium/service-kit/http/authenticate';
import { appendEvent } from '@atrium/service-kit/messaging/outbox';
import type { Queryable } from '@atrium/service-kit/postgres/postgres';
import {
  type ConversationFields,
  type ConversationRow,
  deleteConversationRow,
  findConversation,
  insertConversation,
  lockConversation,
  type NewConversation,
  replaceCreator,
  updateConversationRow,
} from '../model/conversation-repository.ts';
import { deleteFormerParticipants, recordFormerParticipants } from '../model/former-participants.ts';
import { insertParticipants, removeParticipants } from '../model/participant-repository.ts';
import { canSeeConversation } from '../model/policy.ts';
import { conversationEventData } from '../model/present-conversation.ts';
import type { ConversationChange } from '../sockets/broadcaster.ts';
import { linkProject, type ProjectLink } from './project-repository.ts';

type ActorId = string | null;

/** Throws `not_found` for callers who must not know that it exists. */
export async function loadForChange(tx: Queryable, caller: Caller, id: string): Promise<ConversationRow> {
  await lockConversation(tx, id);
  const row = await findConversation(tx, id, caller.userId);
  if (!row || !canSeeConversation(caller, row)) throw notFound('Conversation');
  return row;
}

/** Returns false if it already exists. */
export async function persistConversation(
  tx: Queryable,
  conversation: NewConversation & { participantIds: string[]; projectLink?: ProjectLink | undefined },
  actorId: ActorId,
): Promise<boolean> {
  if (!(await insertConversation(tx, conversation))) return false;
  if (conversation.projectLink) await linkProject(tx, conversation.conversation_id, conversation.projectLink);
  await insertParticipants(tx, conversation.conversation_id, conversation.participantIds);
  const row = await readAfterWrite(tx, conversation.conversation_id);
  await appendEvent(tx, {
    event: conversationCreated,
    data: conversationEventData(row),
    aggregate: row.conversation_id,
    actorId,
  });
  return true;
}

type ConversationPatch = ConversationFields & { add?: string[]; remove?: string[] };

export async function changeConversation(
  tx: Queryable,
  id: string,
  { add, remove, ...fields }: ConversationPatch,
  actorId: ActorId,
): Promise<ConversationChange | undefined> {
  const removedIds = remove?.length ? await removeParticipants(tx, id, remove) : [];
  const addedIds = add?.length ? await insertParticipants(tx, id, add) : [];
  const fieldNames = Object.keys(fields);
  const participantsChanged = addedIds.length + removedIds.length > 0;
  if (!participantsChanged && fieldNames.length === 0) return undefined;
  if (participantsChanged) await recordFormerParticipants(tx, id, { addedIds, removedIds });
  const successor = removedIds.length > 0 ? await replaceCreator(tx, id, removedIds) : undefined;
  await updateConversationRow(tx, id, fields);
  const row = await readAfterWrite(tx, id);
  const changedFields = [
    ...fieldNames,
    ...(participantsChanged ? ['participants'] : []),
    ...(successor === undefined ? [] : ['createdBy']),
  ];
  await appendEvent(tx, {
    event: conversationUpdated,
    data: { ...conversationEventData(row), addedIds, removedIds, changed: changedFields },
    aggregate: id,
    actorId,
  });
  // Who can write has changed for each user in their own way.
  const areAbilitiesChanged = 'posting' in fields || 'archived' in fields;
  const abilityUserIds = areAbilitiesChanged ? row.participant_ids : successor ? [successor] : [];
  return { addedIds, removedIds, abilityUserIds };
}

export async function discardConversation(tx: Queryable, row: ConversationRow, actorId: ActorId): Promise<string[]> {
  const formerParticipants = await deleteFormerParticipants(tx, row.conversation_id);
  await deleteConversationRow(tx, row.conversation_id);
  await appendEvent(tx, {
    event: conversationDeleted,
    data: conversationEventData(row),
    aggregate: row.conversation_id,
    actorId,
  });
  return formerParticipants;
}

async function readAfterWrite(tx: Queryable, id: string): Promise<ConversationRow> {
  const row = await findConversation(tx, id, null);
  if (!row) throw new Error('Conversation not found after a write');
  return row;
}

export const assertActiveParticipants = (directory: Directory, field: string, ids: readonly string[]): void =>
  assertActiveUsers(directory, ids, { field, message: 'Participants must be active users' });
