import { isActive } from '@atrium/service-kit/directory/active-users';
import type { Queryable } from '@atrium/service-kit/postgres/postgres';
import type { Deps } from '../deps.ts';
import { type Changed, changeConversation, makeConversation } from './conversation-changes.ts';
import { projectConversationId } from './conversation-id.ts';
import { lockConversation } from './conversation-repository.ts';
import { lockProject, noteProject, type ProjectRow } from './project-repository.ts';

export type ProjectFacts = {
  projectId: string;
  name: string;
  managerId: string;
  memberIds: string[];
  version: number;
};

type Cause = { actorId: string | null; createdBy: string | null };
type Outcome = 'nothing' | 'made' | Changed;

/**
 * Brings the project's one conversation up to these facts: makes it if it is the first that is heard of the project, else follows what
 * changed since. Older facts than the ones known, and those of a conversation that was deleted, change nothing.
 */
export async function syncProjectConversation(
  { db, directory, announce }: Pick<Deps, 'db' | 'directory' | 'announce'>,
  facts: ProjectFacts,
  cause: Cause,
): Promise<void> {
  const id = projectConversationId(facts.projectId);
  // A manager who was deactivated or deleted keeps the project until an administrator assigns another.
  const people = [...new Set([facts.managerId, ...facts.memberIds])].filter((userId) => !hasLeft(directory, userId));
  const outcome = await db.transaction(async (tx): Promise<Outcome> => {
    const known = await lockProject(tx, id, facts.projectId);
    if (known.closed || known.version >= facts.version) return 'nothing';
    await noteProject(tx, {
      conversation_id: id,
      manager_id: facts.managerId,
      name: facts.name,
      people,
      version: facts.version,
    });
    if (known.version > 0) return follow(tx, known, { facts, people, actorId: cause.actorId });
    await open(tx, { id, facts, people, cause });
    return 'made';
  });
  if (outcome === 'made') announce.conversationMade(id);
  else if (outcome !== 'nothing') void announce.conversationChanged(id, outcome);
}

function hasLeft(directory: Deps['directory'], userId: string): boolean {
  const user = directory.user(userId);
  return user !== undefined && !isActive(user);
}

async function open(
  tx: Queryable,
  { id, facts, people, cause }: { id: string; facts: ProjectFacts; people: string[]; cause: Cause },
): Promise<void> {
  await makeConversation(
    tx,
    {
      conversation_id: id,
      type: 'project',
      title: facts.name,
      description: '',
      created_by: cause.createdBy,
      people,
    },
    cause.actorId,
  );
}

/** Who is in the project is in its conversation, and leaves it with the project. A title of the conversation's own and guests stay. */
async function follow(
  tx: Queryable,
  known: ProjectRow,
  { facts, people, actorId }: { facts: ProjectFacts; people: string[]; actorId: string | null },
): Promise<Outcome> {
  // Before its people, in the order in which a message takes the two.
  await lockConversation(tx, known.conversation_id);
  const changed = await changeConversation(
    tx,
    known.conversation_id,
    {
      ...(facts.name !== known.name && { title: facts.name }),
      add: people,
      remove: known.people.filter((id) => !people.includes(id)),
    },
    actorId,
  );
  const managers = facts.managerId === known.manager_id ? [] : [known.manager_id, facts.managerId];
  if (!changed && managers.length === 0) return 'nothing';
  const { added = [], removed = [], abilitiesOf = [] } = changed ?? {};
  return { added, removed, abilitiesOf: [...abilitiesOf, ...managers] };
}
