import {
  CHANGE_MANAGER_DENIED,
  canDeleteProject,
  canUpdateProjects,
  DELETE_PROJECT_DENIED,
  getChangeManagerDenial,
  PROGRESS_DENIED,
  UPDATE_PROJECT_DENIED,
} from '@atrium/proto-events/abilities/projects';
import { projectCreated, projectDeleted } from '@atrium/proto-events/events/projects';
import type { createProjectBody, Project, updateProjectBody } from '@atrium/proto-events/http/projects';
import { USERS_PER_ITEM } from '@atrium/proto-events/users-per-item';
import { awaitActiveUsers } from '@atrium/service-kit/directory/active-users';
import type { Directory } from '@atrium/service-kit/directory/directory';
import { AppError, assertVersion, notFound } from '@atrium/service-kit/errors/app-error';
import type { Caller } from '@atrium/service-kit/http/authenticate';
import { type IdempotencyKey, withIdempotencyKey } from '@atrium/service-kit/http/idempotency';
import { appendEvent } from '@atrium/service-kit/messaging/outbox';
import { newId } from '@atrium/service-kit/process/new-id';
import type { z } from 'zod';
import type { Deps } from '../deps.ts';
import {
  appendProjectUpdated,
  queueProjectEntry,
  queueProjectTombstone,
  toEventData,
} from './append-project-events.ts';
import { assertActiveUsers, assertManager } from './assert-users.ts';
import { assertChangeAllowed, findMembership } from './policy.ts';
import { hasManagerLeft, presentProject, toSharedProject } from './present-project.ts';
import {
  changeProject,
  deleteProjectRow,
  insertProject,
  listAssigneeIds,
  listDelegatorIds,
  lockProject,
  type NewProject,
  type ProjectChange,
  type ProjectRow,
  removeMember,
} from './project-repository.ts';

type CreateBody = z.output<typeof createProjectBody>;

export async function createProject(
  { db, directory }: Deps,
  caller: Caller,
  { body, key }: { body: CreateBody; key: IdempotencyKey | undefined },
): Promise<Project> {
  await awaitActiveUsers(directory, [body.projectManager, ...body.teamMembers]);
  return withIdempotencyKey(db, { caller, key }, async (tx) => {
    // Checked inside, so that a retry gets the first response even if the manager has left since.
    assertManager(directory, body.projectManager);
    assertActiveUsers(directory, body.teamMembers, 'teamMembers');
    const row = await insertProject(tx, toNewProject(body, caller));
    await queueProjectEntry(tx, row);
    await appendEvent(tx, {
      event: projectCreated,
      data: { ...toEventData(directory, row), createdBy: caller.userId },
      aggregate: row.id,
      actorId: caller.userId,
    });
    return presentProject(directory, caller, row);
  });
}

function toNewProject(body: CreateBody, caller: Caller): NewProject {
  return {
    id: newId(),
    name: body.name,
    description: body.description,
    priority: body.priority,
    status: body.status,
    manager_id: body.projectManager,
    created_by: caller.userId,
    budget: body.budget ?? null,
    start_date: body.startDate ?? null,
    due_date: body.deadline ?? null,
    // The manager is a project member without being in the team.
    member_ids: [...new Set(body.teamMembers)].filter((id) => id !== body.projectManager),
  };
}

type UpdateBody = z.output<typeof updateProjectBody>;

const FIELD_NAMES: Record<string, string> = {
  due_date: 'deadline',
  start_date: 'startDate',
  manager_id: 'projectManager',
};

export async function updateProject(
  { db, directory }: Deps,
  caller: Caller,
  { id, body }: { id: string; body: UpdateBody },
): Promise<Project> {
  return db.transaction(async (tx) => {
    const before = await lockProject(tx, id);
    if (!before) throw notFound('Project');
    if (!canUpdateProjects(caller)) {
      throw new AppError('forbidden', body.progress === undefined ? UPDATE_PROJECT_DENIED : PROGRESS_DENIED);
    }
    const present = () => presentProject(directory, caller, before);
    assertVersion(before, { version: body.version, label: 'this project', present });
    assertChangeAllowed(before, body);
    const change = toProjectChange(before, body);
    if (Object.keys(change).length === 0) return present();
    if (change.manager_id !== undefined) {
      assertNewManager(directory, caller, before, change.manager_id);
      await removeMember(tx, id, change.manager_id);
    }
    const after = await changeProject(tx, id, change);
    if (!after) throw new AppError('conflict', 'The project was changed at the same time');
    await appendProjectUpdated(tx, directory, after, {
      changed: changedFields(before, change),
      actorId: caller.userId,
      affectedIds: change.manager_id === undefined ? [] : [before.manager_id, change.manager_id],
    });
    return presentProject(directory, caller, after);
  });
}

function assertNewManager(directory: Directory, caller: Caller, before: ProjectRow, managerId: string): void {
  const reason = getChangeManagerDenial(caller, { managerHasLeft: hasManagerLeft(directory, before) });
  if (reason !== undefined) throw new AppError(reason === CHANGE_MANAGER_DENIED ? 'forbidden' : 'conflict', reason);
  assertManager(directory, managerId);
}

/** Includes the team if the new manager was a member, because the manager is not listed in the team. */
function changedFields({ member_ids }: ProjectRow, change: ProjectChange): string[] {
  const fields = Object.keys(change).map((column) => FIELD_NAMES[column] ?? column);
  const removedFromTeam = change.manager_id !== undefined && member_ids.includes(change.manager_id);
  return removedFromTeam ? [...fields, 'teamMembers'] : fields;
}

/** Deadline and end date are the same field. Completing a project sets its progress to 100 percent. */
function toProjectChange(before: ProjectRow, body: UpdateBody): ProjectChange {
  const requested = {
    manager_id: body.projectManager,
    name: body.name,
    description: body.description,
    priority: body.priority,
    status: body.status,
    progress: body.status === 'completed' ? 100 : body.progress,
    budget: body.budget,
    start_date: body.startDate,
    due_date: body.deadline !== undefined ? body.deadline : body.endDate,
  };
  const current: Record<string, unknown> = {
    ...before,
    budget: before.budget === null ? null : Number(before.budget),
    start_date: before.start_date?.toISOString() ?? null,
    due_date: before.due_date?.toISOString() ?? null,
  };
  return Object.fromEntries(
    Object.entries(requested).filter(([column, value]) => value !== undefined && value !== current[column]),
  );
}

export async function deleteProject({ db, directory }: Deps, caller: Caller, id: string): Promise<void> {
  await db.transaction(async (tx) => {
    const project = await lockProject(tx, id);
    if (!project) throw notFound('Project');
    const membership = findMembership(caller.userId, project);
    if (!canDeleteProject(caller, { membership })) throw new AppError('forbidden', DELETE_PROJECT_DENIED);
    const assigneeIds = await listAssigneeIds(tx, id);
    const creatorIds = await listDelegatorIds(tx, id);
    await deleteProjectRow(tx, id);
    await queueProjectTombstone(tx, project);
    await appendEvent(tx, {
      event: projectDeleted,
      data: {
        projectId: id,
        name: project.name,
        assigneeIds,
        creatorIds,
        affectedIds: [project.manager_id, ...project.member_ids],
        project: toSharedProject(directory, project, USERS_PER_ITEM),
      },
      aggregate: id,
      actorId: caller.userId,
    });
  });
}
