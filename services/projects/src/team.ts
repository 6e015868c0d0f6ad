import type { EventOf } from '@atrium/proto-events/event';
import { MAX_LISTED_TASKS, memberDeparted } from '@atrium/proto-events/events/projects';
import type { userDeparted } from '@atrium/proto-events/events/users';
import { MAX_TEAM_MEMBERS, type Project, TEAM_IS_FULL } from '@atrium/proto-events/http/projects';
import { awaitActiveUsers } from '@atrium/service-kit/directory/active-users';
import { AppError, invalidField, notFound } from '@atrium/service-kit/errors/app-error';
import type { Caller } from '@atrium/service-kit/http/authenticate';
import { appendEvent } from '@atrium/service-kit/messaging/outbox';
import type { Queryable } from '@atrium/service-kit/postgres/postgres';
import type { Deps } from './deps.ts';
import { appendProjectUpdated } from './projects/append-project-events.ts';
import { assertActiveUsers } from './projects/assert-users.ts';
import { canUpdate, getAddMembersDenial, isProjectMember, UPDATE_DENIED } from './projects/policy.ts';
import { presentProject } from './projects/present-project.ts';
import {
  insertMember,
  listUserProjectIds,
  lockProject,
  type ProjectRow,
  removeMember,
  touchProject,
} from './projects/project-repository.ts';
import { unassignTasks } from './tasks/write-tasks.ts';

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
    const denial = getAddMembersDenial(caller, project);
    if (denial !== undefined) throw new AppError('forbidden', denial);
    if (isProjectMember(userId, project)) return presentProject(directory, caller, project);
    if (project.member_ids.length >= MAX_TEAM_MEMBERS) throw invalidField('userId', TEAM_IS_FULL);
    assertActiveUsers(directory, [userId], 'userId');
    await insertMember(tx, id, userId);
    return presentProject(directory, caller, await touchTeam(tx, { id, actorId: caller.userId }));
  });
}

/** Removes a member from the team and unassigns their open tasks. */
export async function removeTeamMember({ db }: Deps, caller: Caller, { id, userId }: TeamMemberParams): Promise<void> {
  await db.transaction(async (tx) => {
    const project = await lockTeam(tx, id);
    if (!canUpdate(caller)) throw new AppError('forbidden', UPDATE_DENIED);
    if (project.manager_id === userId) throw new AppError('conflict', 'The project manager cannot be removed');
    if (!isProjectMember(userId, project)) throw notFound('Team member');
    await removeMember(tx, id, userId);
    await touchTeam(tx, { id, actorId: caller.userId });
    await unassignTasks(tx, { projectId: id, userId, actorId: caller.userId });
  });
}

async function lockTeam(tx: Queryable, id: string): Promise<ProjectRow> {
  const project = await lockProject(tx, id);
  if (!project) throw notFound('Project');
  return project;
}

type TouchTeamParams = { id: string; actorId: string | null; changed?: string[] };

/** Increments the version of the project, and appends the event. Returns the new row. */
async function touchTeam(
  tx: Queryable,
  { id, actorId, changed = ['teamMembers'] }: TouchTeamParams,
): Promise<ProjectRow> {
  const row = await touchProject(tx, id);
  await appendProjectUpdated(tx, row, { changed, actorId });
  return row;
}

const PROPAGATION_TIMEOUT_MS = 2_000;

type DepartedEvent = EventOf<typeof userDeparted>;

/**
 * Removes the user from every team. A project they managed keeps their id until an administrator assigns a new manager,
 * and gets a new version, because its abilities depend on the status of the manager.
 */
export const removeDepartedUser =
  ({ directory }: Pick<Deps, 'directory'>) =>
  async (event: DepartedEvent, tx: Queryable): Promise<void> => {
    const { userId, version } = event.data;
    await directory.whenUser(userId, (user) => user !== undefined && user.version >= version, PROPAGATION_TIMEOUT_MS);
    for (const id of await listUserProjectIds(tx, userId)) await removeFromProject(tx, event, id);
  };

async function removeFromProject(
  tx: Queryable,
  { data: { userId }, actorId }: DepartedEvent,
  id: string,
): Promise<void> {
  const project = await lockProject(tx, id);
  if (!project) return;
  const isManager = project.manager_id === userId;
  const isMember = project.member_ids.includes(userId);
  if (isMember) await removeMember(tx, id, userId);
  if (isManager || isMember) {
    await touchTeam(tx, { id, actorId, changed: [isManager ? 'projectManager' : 'teamMembers'] });
  }
  const tasks = await unassignTasks(tx, { projectId: id, userId, actorId });
  await appendEvent(tx, {
    event: memberDeparted,
    data: {
      projectId: id,
      name: project.name,
      managerId: project.manager_id,
      userId,
      tasks: tasks.slice(0, MAX_LISTED_TASKS).map(({ id: taskId, title }) => ({ taskId, title })),
      taskCount: tasks.length,
    },
    aggregate: id,
    actorId,
  });
}
