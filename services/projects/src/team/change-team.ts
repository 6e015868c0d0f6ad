import { canUpdateProjects, getAddMembersDenial, UPDATE_PROJECT_DENIED } from '@atrium/proto-events/abilities/projects';
import { MAX_TEAM_MEMBERS, type Project, TEAM_IS_FULL } from '@atrium/proto-events/http/projects';
import { awaitActiveUsers } from '@atrium/service-kit/directory/active-users';
import type { Directory } from '@atrium/service-kit/directory/directory';
import { AppError, invalidField, notFound } from '@atrium/service-kit/errors/app-error';
import type { Caller } from '@atrium/service-kit/http/authenticate';
import type { Queryable } from '@atrium/service-kit/postgres/postgres';
import type { Deps } from '../deps.ts';
import { appendProjectUpdated } from '../projects/append-project-events.ts';
import { assertActiveUsers } from '../projects/assert-users.ts';
import { findMembership, isProjectMember } from '../projects/policy.ts';
import { presentProject } from '../projects/present-project.ts';
import {
  insertMember,
  lockProject,
  type ProjectRow,
  removeMember,
  touchProject,
} from '../projects/project-repository.ts';
import { unassignTasks } from '../tasks/write-tasks.ts';

type TeamMemberParams = { id: string; userId: string };

/** Adds a member to the team; does nothing if the user is a member already. */
export async function addTeamMember(
  { db, directory }: Deps,
  caller: Caller,
  { id, userId }: TeamMemberParams,
): Promise<Project> {
  await awaitActiveUsers(directory, [userId]);
  return db.transaction(async (tx) => {
    const project = await lockTeam(tx, id);
    const denial = getAddMembersDenial(caller, { membership: findMembership(caller.userId, project) });
    if (denial !== undefined) throw new AppError('forbidden', denial);
    if (isProjectMember(userId, project)) return presentProject(directory, caller, project);
    if (project.member_ids.length >= MAX_TEAM_MEMBERS) throw invalidField('userId', TEAM_IS_FULL);
    assertActiveUsers(directory, [userId], 'userId');
    await insertMember(tx, id, userId);
    const after = await touchTeam(tx, directory, { id, actorId: caller.userId, affectedIds: [userId] });
    return presentProject(directory, caller, after);
  });
}

/** Removes a member from the team and unassigns their open tasks. */
export async function removeTeamMember(
  { db, directory }: Deps,
  caller: Caller,
  { id, userId }: TeamMemberParams,
): Promise<void> {
  await db.transaction(async (tx) => {
    const project = await lockTeam(tx, id);
    if (!canUpdateProjects(caller)) throw new AppError('forbidden', UPDATE_PROJECT_DENIED);
    if (project.manager_id === userId) throw new AppError('conflict', 'The project manager cannot be removed');
    if (!isProjectMember(userId, project)) throw notFound('Team member');
    await removeMember(tx, id, userId);
    await touchTeam(tx, directory, { id, actorId: caller.userId, affectedIds: [userId] });
    await unassignTasks(tx, directory, { projectId: id, userId, actorId: caller.userId });
  });
}

async function lockTeam(tx: Queryable, id: string): Promise<ProjectRow> {
  const project = await lockProject(tx, id);
  if (!project) throw notFound('Project');
  return project;
}

type TouchTeamParams = { id: string; actorId: string | null; affectedIds: string[]; changed?: string[] };

/** Increments the version of the project, and appends the event. Returns the new row. */
export async function touchTeam(
  tx: Queryable,
  directory: Directory,
  { id, actorId, affectedIds, changed = ['teamMembers'] }: TouchTeamParams,
): Promise<ProjectRow> {
  const row = await touchProject(tx, id);
  await appendProjectUpdated(tx, directory, row, { changed, actorId, affectedIds });
  return row;
}
