import type { Conversation, createConversationBody } from '@atrium/proto-events/http/chat';
import { awaitActivePeople } from '@atrium/service-kit/directory/active-users';
import { requireProject } from '@atrium/service-kit/directory/require-project';
import { invalidField } from '@atrium/service-kit/http/app-error';
import type { Caller } from '@atrium/service-kit/http/authenticate';
import { type IdempotencyKey, withIdempotencyKey } from '@atrium/service-kit/http/idempotency';
import { newId } from '@atrium/service-kit/process/new-id';
import type { z } from 'zod';
import type { Deps } from '../deps.ts';
import { makeConversation } from './conversation-changes.ts';
import { directConversationId } from './conversation-id.ts';
import { chargeGroup } from './group-limit.ts';
import { findReadState } from './participant-repository.ts';
import type { About } from './project-repository.ts';
import { readConversation } from './read-conversations.ts';
import { requireActivePeople } from './require-active-people.ts';

type Body = z.output<typeof createConversationBody>;

/** A project that was made a moment ago may not be known yet. */
const SETTLE_MS = 1_000;

type CreateParams = { body: Body; key: IdempotencyKey | undefined };

type Made = { conversation: Conversation; existed: boolean };

/** Makes a channel, or finds or makes the one direct conversation of two people. */
export async function createConversation(deps: Deps, caller: Caller, { body, key }: CreateParams): Promise<Made> {
  const others = [...new Set(body.participants)].filter((id) => id !== '' && id !== caller.userId);
  await awaitActivePeople(deps.directory, others);
  const about = body.project === undefined ? undefined : await findAbout(deps, body.project);
  return body.type === 'group'
    ? makeGroup(deps, caller, { body, others, about, key })
    : openDirect(deps, caller, { others, about });
}

async function findAbout({ projects }: Deps, id: string): Promise<About> {
  await projects.whenProject(id, SETTLE_MS);
  return { project_id: id, manager_id: requireProject(projects, id).managerId };
}

type GroupParams = {
  body: Extract<Body, { type: 'group' }>;
  others: string[];
  about: About | undefined;
  key: IdempotencyKey | undefined;
};

async function makeGroup(deps: Deps, caller: Caller, { body, others, about, key }: GroupParams): Promise<Made> {
  const newConversationId = newId();
  const { id } = await withIdempotencyKey(deps.db, { caller, key }, async (tx) => {
    requireActivePeople(deps.directory, 'participants', others);
    await chargeGroup(tx, caller.userId, deps.maxGroupsPerDay);
    await makeConversation(
      tx,
      {
        conversation_id: newConversationId,
        type: 'group',
        title: body.title,
        description: body.description,
        created_by: caller.userId,
        people: [caller.userId, ...others],
        about,
      },
      caller.userId,
    );
    return { id: newConversationId };
  });
  // A retry announces nothing: everyone has heard of the conversation.
  if (id === newConversationId) deps.announce.conversationMade(id);
  return { conversation: await readConversation(deps, caller, id), existed: false };
}

async function openDirect(
  deps: Deps,
  caller: Caller,
  { others, about }: { others: string[]; about: About | undefined },
): Promise<Made> {
  const [other, ...more] = others;
  if (other === undefined || more.length > 0) {
    throw invalidField('participants', 'A direct conversation needs exactly one other person');
  }
  const id = directConversationId(caller.userId, other);
  if (await findReadState(deps.db, id, caller.userId)) {
    return { conversation: await readConversation(deps, caller, id), existed: true };
  }
  requireActivePeople(deps.directory, 'participants', [other]);
  const given = { conversation_id: id, type: 'direct' as const, title: null, description: '' };
  // Whoever of the two comes second at the same moment waits here for the first and then finds it made.
  const made = await deps.db.transaction((tx) =>
    makeConversation(tx, { ...given, created_by: caller.userId, people: [caller.userId, other], about }, caller.userId),
  );
  if (made) deps.announce.conversationMade(id);
  return { conversation: await readConversation(deps, caller, id), existed: !made };
}
