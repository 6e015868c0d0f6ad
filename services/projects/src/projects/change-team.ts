import { projectUpdated } from '@atrium/proto-events/events/projects';
import { MOST_TEAM_MEMBERS, type Project, TEAM_IS_FULL } from '@atrium/proto-events/http/projects';
import { awaitActivePeople } from '@atrium/service-kit/directory/active-users';
import { AppError, invalidField, notFound } from '@atrium/service-kit/http/app-error';
import type { Caller } from '@atrium/service-kit/http/authenticate';
import { appendEvent } from '@atrium/service-kit/messaging/outbox';
import type { Queryable } from '@atrium/service-kit/postgres/postgres';
import type { Deps } from '../deps.ts';
import { isOfProject } from '../tasks/policy.ts';
import { unassignTasks } from '../tasks/unassign-tasks.ts';
import { addMembersRefusal, mayUpdate, UPDATE_REFUSED } from './policy.ts';
import { presentProject, projectFacts } from './present-project.ts';
import { insertMember, lockProject, type ProjectRow, removeMember, touchProject } from './project-repository.ts';
import { publishProjectEntry } from './publish-project-events.ts';
import { requireActivePeople } from './require-people.ts';

type Person = { id: string; userId: string };

/** Adds a person to the team; chat, documents and the e-mail follow from the event. Who is in already changes nothing. */
export async function addTeamMember({ db, directory }: Deps, caller: Caller, { id, userId }: Person): Promise<Project> {
  await awaitActivePeople(directory, [userId]);
  return db.transaction(async (tx) => {
    const project = await lockTeam(tx, id);
    const refusal = addMembersRefusal(caller, project);
    if (refusal !== undefined) throw new AppError('forbidden', refusal);
    if (isOfProject(userId, project)) return presentProject(directory, caller, project);
    if (project.member_ids.length >= MOST_TEAM_MEMBERS) throw invalidField('userId', TEAM_IS_FULL);
    requireActivePeople(directory, [userId], 'userId');
    await insertMember(tx, id, userId);
    return presentProject(directory, caller, await announceTeam(tx, { id, actorId: caller.userId }));
  });
}

/** Takes a person out of the team and off their open tasks, which are nobody's then. */
export async function removeTeamMember({ db }: Deps, caller: Caller, { id, userId }: Person): Promise<void> {
  await db.transaction(async (tx) => {
    const project = await lockTeam(tx, id);
    if (!mayUpdate(caller)) throw new AppError('forbidden', UPDATE_REFUSED);
    if (project.manager_id === userId) throw new AppError('conflict', 'The project manager cannot be removed');
    if (!isOfProject(userId, project)) throw notFound('Team member');
    await removeMember(tx, id, userId);
    await announceTeam(tx, { id, actorId: caller.userId });
    await unassignTasks(tx, { projectId: id, userId, actorId: caller.userId });
  });
}

async function lockTeam(tx: Queryable, id: string): Promise<ProjectRow> {
  const project = await lockProject(tx, id);
  if (!project) throw notFound('Project');
  return project;
}

type TeamChange = { id: string; actorId: string | null; changed?: string[] };

/** Publishes the changed team of a locked project, in its next version. */
export async function announceTeam(
  tx: Queryable,
  { id, actorId, changed = ['teamMembers'] }: TeamChange,
): Promise<ProjectRow> {
  const row = await touchProject(tx, id);
  await publishProjectEntry(tx, row);
  await appendEvent(tx, {
    event: projectUpdated,
    data: { ...projectFacts(row), progress: row.progress, changed },
    aggregate: id,
    actorId,
  });
  return row;
}
