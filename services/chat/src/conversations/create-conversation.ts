import type { Conversation, createConversationBody } from '@atrium/proto-events/http/chat/conversations';
import { awaitActiveUsers } from '@atrium/service-kit/directory/active-users';
import { requireProject } from '@atrium/service-kit/directory/project-directory';
import { AppError, invalidField } from '@atrium/service-kit/errors/app-error';
import type { Caller } from '@atrium/service-kit/http/authenticate';
import { type IdempotencyKey, withIdempotencyKey } from '@atrium/service-kit/http/idempotency';
import type { Queryable } from '@atrium/service-kit/postgres/postgres';
import { newId } from '@atrium/service-kit/process/new-id';
import type { z } from 'zod';
import type { Deps } from '../deps.ts';
import { directConversationId } from '../model/conversations/conversation-repository.ts';
import { findReadState } from '../model/conversations/participant-repository.ts';
import { assertActiveParticipants, persistConversation } from './conversation-changes.ts';
import { assertCanSave, awaitGroup, saveGroup } from './member-groups.ts';
import type { ProjectLink } from './project-repository.ts';
import { readAsParticipant } from './read-conversations.ts';

type Body = z.output<typeof createConversationBody>;

type CreateParams = { body: Body; key: IdempotencyKey | undefined };

type CreateResult = { conversation: Conversation; alreadyExists: boolean };

export async function createConversation(
  deps: Deps,
  caller: Caller,
  { body, key }: CreateParams,
): Promise<CreateResult> {
  const otherIds = [...new Set(body.participants)].filter((id) => id !== '' && id !== caller.userId);
  await awaitActiveUsers(deps.directory, otherIds);
  const projectLink = body.project === undefined ? undefined : await readProjectLink(deps, body.project);
  return body.type === 'group'
    ? createGroupConversation(deps, caller, { body, otherIds, projectLink, key })
    : findOrCreateDirect(deps, caller, { otherIds, projectLink });
}

async function readProjectLink(deps: Deps, id: string): Promise<ProjectLink> {
  await awaitGroup(deps, { type: 'project', _id: id });
  return { project_id: id, manager_id: requireProject(deps.projects, id).managerId };
}

type GroupParams = {
  body: Extract<Body, { type: 'group' }>;
  otherIds: string[];
  projectLink: ProjectLink | undefined;
  key: IdempotencyKey | undefined;
};

async function createGroupConversation(
  deps: Deps,
  caller: Caller,
  { body, otherIds, projectLink, key }: GroupParams,
): Promise<CreateResult> {
  const newConversationId = newId();
  await Promise.all(body.memberGroups.map((group) => awaitGroup(deps, group)));
  const { id } = await withIdempotencyKey(deps.db, { caller, key }, async (tx) => {
    assertActiveParticipants(deps.directory, 'participants', otherIds);
    for (const group of body.memberGroups) assertCanSave(deps, caller, group);
    await countGroupCreation(tx, caller.userId, deps.maxGroupsPerDay);
    await persistConversation(
      tx,
      {
        conversation_id: newConversationId,
        type: 'group',
        title: body.title,
        description: body.description,
        visibility: body.visibility,
        purpose: body.purpose,
        posting: body.posting,
        mention_everyone: body.mentionEveryone,
        add_people: body.addPeople,
        created_by: caller.userId,
        participantIds: [caller.userId, ...otherIds],
        projectLink,
      },
      caller.userId,
    );
    for (const group of body.memberGroups) await saveGroup(tx, newConversationId, group);
    return { id: newConversationId };
  });
  if (id === newConversationId) {
    deps.broadcaster.conversationCreated(id);
    deps.memberSync.wake();
  }
  return { conversation: await readAsParticipant(deps, caller, id), alreadyExists: false };
}

async function findOrCreateDirect(
  deps: Deps,
  caller: Caller,
  { otherIds, projectLink }: { otherIds: string[]; projectLink: ProjectLink | undefined },
): Promise<CreateResult> {
  const [otherId, ...extraIds] = otherIds;
  if (otherId === undefined || extraIds.length > 0) {
    throw invalidField('participants', 'A direct conversation needs exactly one other person');
  }
  const id = directConversationId(caller.userId, otherId);
  if (await findReadState(deps.db, id, caller.userId)) {
    return { conversation: await readAsParticipant(deps, caller, id), alreadyExists: true };
  }
  assertActiveParticipants(deps.directory, 'participants', [otherId]);
  const fields = { conversation_id: id, type: 'direct' as const, title: null, description: '' };
  // If both users create it concurrently, the second insert waits for the first and then finds the conversation.
  const isNew = await deps.db.transaction((tx) =>
    persistConversation(
      tx,
      { ...fields, created_by: caller.userId, participantIds: [caller.userId, otherId], projectLink },
      caller.userId,
    ),
  );
  if (isNew) deps.broadcaster.conversationCreated(id);
  return { conversation: await readAsParticipant(deps, caller, id), alreadyExists: !isNew };
}

type DailyCount = { created: number; seconds_left: number };

/** Throws `rate_limited` above the maximum per day (UTC). A maximum of 0 means no limit. */
async function countGroupCreation(tx: Queryable, userId: string, maxPerDay: number): Promise<void> {
  if (maxPerDay === 0) return;
  const { rows } = await tx.query<DailyCount>(
    `insert into group_creations as g (user_id, day, created) values ($1, (now() at time zone 'utc')::date, 1)
     on conflict (user_id) do update set day = excluded.day,
       created = case when g.day = excluded.day then g.created + 1 else 1 end
     returning created,
       ceil(extract(epoch from (day + 1)::timestamp - now() at time zone 'utc'))::integer as seconds_left`,
    [userId],
  );
  const [dailyCount] = rows;
  if (!dailyCount || dailyCount.created <= maxPerDay) return;
  throw new AppError('rate_limited', `You can create up to ${maxPerDay} groups per day. Please try again tomorrow.`, {
    retryAfterSeconds: dailyCount.seconds_left,
  });
}
