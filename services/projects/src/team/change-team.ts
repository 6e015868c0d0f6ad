import { projectUpdated } from '@atrium/proto-events/events/projects';
import { MAX_TEAM_MEMBERS, type Project, TEAM_IS_FULL } from '@atrium/proto-events/http/projects';
import { awaitActiveUsers } from '@atrium/service-kit/directory/active-users';
import { AppError, invalidField, notFound } from '@atrium/service-kit/errors/app-error';
import type { Caller } from '@atrium/service-kit/http/authenticate';
import { appendEvent } from '@atrium/service-kit/messaging/outbox';
import type { Queryable } from '@atrium/service-kit/postgres/postgres';
import type { Deps } from '../deps.ts';
import { isProjectMember } from '../projects/membership.ts';
import { canUpdate, getAddMembersDenial, UPDATE_DENIED } from '../projects/policy.ts';
import { presentProject, projectEventData } from '../projects/present-project.ts';
import {
  insertMember,
  lockProject,
  type ProjectRow,
  removeMember,
  touchProject,
} from '../projects/project-repository.ts';
import { publishProjectEntry } from '../projects/publish-project-events.ts';
import { assertActiveUsers } from '../projects/require-people.ts';
import { unassignTasks } from '../tasks/unassign-tasks.ts';

type TeamMemberParams = { id: string; userId: string };

/** Idempotent for current members. */
export async function addTeamMember(
  { db, directory }: Deps,
  caller: Caller,
  { id, userId }: TeamMemberParams,
): Promise<Project> {
  await awaitActiveUsers(directory, [userId]);
  return db.transaction(async (tx) => {
    const project = await lockTeam(tx, id);
    const denial = getAddMembersDenial(caller, project);
    if (denial !== undefined) throw new AppError('forbidden', denial);
    if (isProjectMember(userId, project)) return presentProject(directory, caller, project);
    if (project.member_ids.length >= MAX_TEAM_MEMBERS) throw invalidField('userId', TEAM_IS_FULL);
    assertActiveUsers(directory, [userId], 'userId');
    await insertMember(tx, id, userId);
    return presentProject(directory, caller, await publishTeam(tx, { id, actorId: caller.userId }));
  });
}

/** Unassigns the open tasks of the user. */
export async function removeTeamMember({ db }: Deps, caller: Caller, { id, userId }: TeamMemberParams): Promise<void> {
  await db.transaction(async (tx) => {
    const project = await lockTeam(tx, id);
    if (!canUpdate(caller)) throw new AppError('forbidden', UPDATE_DENIED);
    if (project.manager_id === userId) throw new AppError('conflict', 'The project manager cannot be removed');
    if (!isProjectMember(userId, project)) throw notFound('Team member');
    await removeMember(tx, id, userId);
    await publishTeam(tx, { id, actorId: caller.userId });
    await unassignTasks(tx, { projectId: id, userId, actorId: caller.userId });
  });
}

async function lockTeam(tx: Queryable, id: string): Promise<ProjectRow> {
  const project = await lockProject(tx, id);
  if (!project) throw notFound('Project');
  return project;
}

type PublishTeamParams = { id: string; actorId: string | null; changed?: string[] };

export async function publishTeam(
  tx: Queryable,
  { id, actorId, changed = ['teamMembers'] }: PublishTeamParams,
): Promise<ProjectRow> {
  const row = await touchProject(tx, id);
  await publishProjectEntry(tx, row);
  await appendEvent(tx, {
    event: projectUpdated,
    data: { ...projectEventData(row), progress: row.progress, changed },
    aggregate: id,
    actorId,
  });
  return row;
}
