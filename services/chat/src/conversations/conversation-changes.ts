import { conversationCreated, conversationDeleted, conversationUpdated } from '@atrium/proto-events/events/chat';
import { notFound } from '@atrium/service-kit/http/app-error';
import type { Caller } from '@atrium/service-kit/http/authenticate';
import { appendEvent } from '@atrium/service-kit/messaging/outbox';
import type { Queryable } from '@atrium/service-kit/postgres/postgres';
import {
  type ConversationRow,
  findConversation,
  insertConversation,
  lockConversation,
  type NewConversation,
  removeConversation,
  succeedOwner,
  touchConversation,
} from './conversation-repository.ts';
import { forgetDepartures, insertParticipants, noteDepartures, removeParticipants } from './participant-repository.ts';
import { mayKnow } from './policy.ts';
import { conversationFacts } from './present-conversation.ts';
import { type About, linkProject } from './project-repository.ts';

type Actor = string | null;

/** The conversation held for a change, or 404 for who may not know that it exists. */
export async function loadForChange(tx: Queryable, caller: Caller, id: string): Promise<ConversationRow> {
  await lockConversation(tx, id);
  const row = await findConversation(tx, id, caller.userId);
  if (!row || !mayKnow(caller, row)) throw notFound('Conversation');
  return row;
}

/** Makes a conversation with its people and its event; false when it was there already. */
export async function makeConversation(
  tx: Queryable,
  given: NewConversation & { people: string[]; about?: About | undefined },
  actorId: Actor,
): Promise<boolean> {
  if (!(await insertConversation(tx, given))) return false;
  if (given.about) await linkProject(tx, given.conversation_id, given.about);
  await insertParticipants(tx, given.conversation_id, given.people);
  const row = await required(tx, given.conversation_id);
  await appendEvent(tx, {
    event: conversationCreated,
    data: conversationFacts(row),
    aggregate: row.conversation_id,
    actorId,
  });
  return true;
}

export type ConversationChange = { title?: string; add?: string[]; remove?: string[] };

/** Who came and went, and whose abilities changed otherwise. */
export type Changed = { added: string[]; removed: string[]; abilitiesOf: string[] };

/** Applies a change with its event; undefined when it changes nothing. */
export async function changeConversation(
  tx: Queryable,
  id: string,
  change: ConversationChange,
  actorId: Actor,
): Promise<Changed | undefined> {
  const removed = change.remove?.length ? await removeParticipants(tx, id, change.remove) : [];
  const added = change.add?.length ? await insertParticipants(tx, id, change.add) : [];
  const people = added.length + removed.length > 0;
  if (!people && change.title === undefined) return undefined;
  if (people) await noteDepartures(tx, id, { added, removed });
  const successor = await succeed(tx, id, removed);
  await touchConversation(tx, id, change.title);
  const row = await required(tx, id);
  const changed = [
    ...(change.title === undefined ? [] : ['title']),
    ...(people ? ['participants'] : []),
    ...(successor === undefined ? [] : ['createdBy']),
  ];
  await appendEvent(tx, {
    event: conversationUpdated,
    data: { ...conversationFacts(row), addedIds: added, removedIds: removed, changed },
    aggregate: id,
    actorId,
  });
  return { added, removed, abilitiesOf: successor ? [successor] : [] };
}

/** A group whose creator leaves belongs to its longest-standing member; undefined where nothing changes. */
async function succeed(tx: Queryable, id: string, removed: string[]): Promise<string | null | undefined> {
  if (removed.length === 0) return undefined;
  const { type, created_by } = await required(tx, id);
  if (type !== 'group' || created_by === null || !removed.includes(created_by)) return undefined;
  return succeedOwner(tx, id);
}

/** Removes a conversation and all its messages, with its event; answers who had left it a while ago. */
export async function discardConversation(tx: Queryable, row: ConversationRow, actorId: Actor): Promise<string[]> {
  const left = await forgetDepartures(tx, row.conversation_id);
  await removeConversation(tx, row.conversation_id);
  await appendEvent(tx, {
    event: conversationDeleted,
    data: conversationFacts(row),
    aggregate: row.conversation_id,
    actorId,
  });
  return left;
}

async function required(tx: Queryable, id: string): Promise<ConversationRow> {
  const row = await findConversation(tx, id, null);
  if (!row) throw new Error('the conversation just written is not there');
  return row;
}
