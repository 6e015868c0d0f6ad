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
} from '../model/conversations/conversation-repository.ts';
import { deleteFormerParticipants, pruneFormerParticipants } from '../model/conversations/former-participants.ts';
import {
  insertParticipants,
  listParticipantIds,
  removeParticipants,
} from '../model/conversations/participant-repository.ts';
import { conversationEventData } from '../model/conversations/present-conversation.ts';
import { canSeeConversation } from '../model/policy.ts';
import type { ConversationChange } from '../sockets/broadcaster.ts';
import { linkProject, type ProjectLink } from './project-repository.ts';

type ActorId = string | null;

/** Throws `not_found` for callers who must not know that it exists. */
export async function loadForChange(tx: Queryable, caller: Caller, id: string): Promise<ConversationRow> {
  await lockConversation(tx, id);
  const row = await findConversation(tx, id, caller.userId, 0);
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
  const participantIds = await insertParticipants(tx, conversation.conversation_id, conversation.participantIds);
  const row = await readAfterWrite(tx, conversation.conversation_id);
  await appendEvent(tx, {
    event: conversationCreated,
    data: { ...conversationEventData(row), participantIds },
    aggregate: row.conversation_id,
    actorId,
  });
  return true;
}

type ConversationPatch = ConversationFields & {
  add?: string[];
  /** Members of its groups. */
  addByRule?: string[];
  remove?: string[];
  /** Whether its groups have changed. */
  memberGroups?: true;
};

/** Fields that change what participants can do, for each of them in their own way. */
const ABILITY_FIELDS = ['posting', 'archived', 'mentionEveryone', 'addPeople', 'memberGroups'];

export async function changeConversation(
  tx: Queryable,
  id: string,
  { add = [], addByRule = [], remove = [], ...fields }: ConversationPatch,
  actorId: ActorId,
): Promise<ConversationChange | undefined> {
  const removedIds = remove.length > 0 ? await removeParticipants(tx, id, remove) : [];
  const addedIds = [
    ...(add.length > 0 ? await insertParticipants(tx, id, add) : []),
    ...(addByRule.length > 0 ? await insertParticipants(tx, id, addByRule, { byRule: true }) : []),
  ];
  const fieldNames = Object.keys(fields);
  const participantsChanged = addedIds.length + removedIds.length > 0;
  if (!participantsChanged && fieldNames.length === 0) return undefined;
  if (participantsChanged) await pruneFormerParticipants(tx, id, addedIds);
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
  const areAbilitiesChanged = fieldNames.some((name) => ABILITY_FIELDS.includes(name));
  return { addedIds, removedIds, abilityUserIds: areAbilitiesChanged ? 'everyone' : successor ? [successor] : [] };
}

/** An event has at most 1 MB. */
const MAX_EVENT_PARTICIPANTS = 1_000;

export async function discardConversation(tx: Queryable, row: ConversationRow, actorId: ActorId): Promise<string[]> {
  const formerParticipants = await deleteFormerParticipants(tx, row.conversation_id);
  const participantIds = await listParticipantIds(tx, row.conversation_id);
  await deleteConversationRow(tx, row.conversation_id);
  const data = { ...conversationEventData(row), participantIds: participantIds.splice(0, MAX_EVENT_PARTICIPANTS) };
  const context = { aggregate: row.conversation_id, actorId };
  while (participantIds.length > 0) {
    const removedIds = participantIds.splice(0, MAX_EVENT_PARTICIPANTS);
    const removal = { ...data, participantIds: [], addedIds: [], removedIds, changed: ['participants'] };
    await appendEvent(tx, { event: conversationUpdated, data: removal, ...context });
  }
  await appendEvent(tx, { event: conversationDeleted, data, ...context });
  return formerParticipants;
}

async function readAfterWrite(tx: Queryable, id: string): Promise<ConversationRow> {
  const row = await findConversation(tx, id, null);
  if (!row) throw new Error('Conversation not found after a write');
  return row;
}

export const assertActiveParticipants = (directory: Directory, field: string, ids: readonly string[]): void =>
  assertActiveUsers(directory, ids, { field, message: 'Participants must be active users' });
