import { getCreateTasksDenial } from '@atrium/proto-events/abilities/projects';
import { taskCreated, taskDeleted, taskUpdated } from '@atrium/proto-events/events/projects';
import type { createTaskBody, updateTaskBody } from '@atrium/proto-events/http/tasks';
import type { Directory } from '@atrium/service-kit/directory/directory';
import { AppError, assertVersion, notFound } from '@atrium/service-kit/errors/app-error';
import type { Caller } from '@atrium/service-kit/http/authenticate';
import { type IdempotencyKey, withIdempotencyKey } from '@atrium/service-kit/http/idempotency';
import { appendEvent, appendEvents } from '@atrium/service-kit/messaging/outbox';
import type { Queryable } from '@atrium/service-kit/postgres/postgres';
import { newId } from '@atrium/service-kit/process/new-id';
import type { z } from 'zod';
import type { Deps } from '../deps.ts';
import { assertAssignee } from '../projects/assert-users.ts';
import { findMembership, isProjectMember } from '../projects/policy.ts';
import { findProject, lockProjectForShare } from '../projects/project-repository.ts';
import { getDenialReasons } from './policy.ts';
import { presentTask, toTaskChangeData } from './present-task.ts';
import { pickPrevious, type TaskFields, toChangedFields, toNewFields } from './task-fields.ts';
import {
  changeTask,
  deleteTaskRow,
  insertTask,
  lockTask,
  type SharedTaskRow,
  type TaskRow,
  unassignOpenTasks,
} from './task-repository.ts';

type CreateBody = z.output<typeof createTaskBody>;

export async function createTask(
  { db, directory }: Deps,
  caller: Caller,
  { body, key }: { body: CreateBody; key: IdempotencyKey | undefined },
) {
  return withIdempotencyKey(db, { caller, key }, async (tx) =>
    presentTask(directory, caller, await addTask(tx, directory, caller, body)),
  );
}

/** Also creates tasks from meeting decisions. Throws before the first write if the caller lacks permission. */
export async function addTask(tx: Queryable, directory: Directory, caller: Caller, body: CreateBody): Promise<TaskRow> {
  // The lock keeps the project and its members until the task is inserted.
  const project = await lockProjectForShare(tx, body.project);
  if (!project) throw notFound('Project');
  const reason = getCreateTasksDenial(caller, { membership: findMembership(caller.userId, project) });
  if (reason !== undefined) throw new AppError('forbidden', reason);
  if (body.assignedTo !== null) assertAssignee(directory, project, body.assignedTo);
  const { project: projectId, origin, ...fields } = body;
  const row = await insertTask(tx, {
    id: newId(),
    projectId,
    createdBy: caller.userId,
    originMessage: origin?.message ?? null,
    fields: toNewFields(fields),
  });
  await appendEvent(tx, {
    event: taskCreated,
    data: { ...toTaskChangeData(directory, row), dueDate: row.dueDate },
    aggregate: row.id,
    actorId: caller.userId,
  });
  return row;
}

type UpdateBody = z.output<typeof updateTaskBody>;
type Change = Partial<TaskFields>;

const ASSIGNEE_FIELDS = new Set(['status', 'progress', 'version']);

export async function updateTask(
  { db, directory }: Deps,
  caller: Caller,
  { id, body }: { id: string; body: UpdateBody },
) {
  return db.transaction(async (tx) => {
    const before = await lockTask(tx, id, caller.userId);
    if (!before) throw notFound('Task');
    assertUpdateAllowed(caller, before, body);
    const present = () => presentTask(directory, caller, before);
    const { version, ...fields } = body;
    assertVersion(before, { version, label: 'this task', present });
    const requested = toChangedFields(before, fields);
    if (requested.assignedTo)
      await assertProjectMember(tx, directory, { id: before.project_id, userId: requested.assignedTo });
    const change = { ...requested, ...(await unassignFormerMember(tx, before, requested)) };
    if (Object.keys(change).length === 0) return present();
    const after = await changeTask(tx, before, change, caller.userId);
    const isCompletionChanged = after.completed_at !== before.completed_at;
    await appendEvent(tx, {
      event: taskUpdated,
      data: {
        ...toTaskChangeData(directory, after),
        dueDate: after.dueDate,
        progress: after.progress,
        changed: [...Object.keys(change), ...(isCompletionChanged ? ['completedAt'] : [])],
        ...('assignedTo' in change && { previousAssignee: before.assignedTo }),
        previous: { ...pickPrevious(before, change), ...(isCompletionChanged && { completedAt: before.completed_at }) },
      },
      aggregate: id,
      actorId: caller.userId,
    });
    return presentTask(directory, caller, after);
  });
}

function assertUpdateAllowed(caller: Caller, before: TaskRow, body: UpdateBody): void {
  const denialReasons = getDenialReasons(caller, before);
  const isAssigneeChange = Object.entries(body).every(
    ([field, value]) => value === undefined || ASSIGNEE_FIELDS.has(field),
  );
  const reason = isAssigneeChange ? denialReasons.updateStatus : denialReasons.update;
  if (reason !== undefined) throw new AppError('forbidden', reason);
}

type Assignment = { id: string; userId: string };

async function assertProjectMember(tx: Queryable, directory: Directory, { id, userId }: Assignment): Promise<void> {
  const project = await findProject(tx, id);
  if (!project) throw notFound('Project');
  assertAssignee(directory, project, userId);
}

/** A done task keeps a former member as its assignee; when it is reopened, it is unassigned like their open tasks. */
async function unassignFormerMember(tx: Queryable, before: TaskRow, requested: Change): Promise<Change> {
  const isReopening = before.status === 'done' && requested.status !== undefined;
  if (!isReopening || before.assignedTo === null || requested.assignedTo !== undefined) return {};
  const project = await findProject(tx, before.project_id);
  return project && !isProjectMember(before.assignedTo, project) ? { assignedTo: null } : {};
}

export async function deleteTask({ db, directory }: Deps, caller: Caller, id: string): Promise<void> {
  await db.transaction(async (tx) => {
    const task = await lockTask(tx, id, caller.userId);
    if (!task) throw notFound('Task');
    const reason = getDenialReasons(caller, task).delete;
    if (reason !== undefined) throw new AppError('forbidden', reason);
    await deleteTaskRow(tx, id);
    await appendEvent(tx, {
      event: taskDeleted,
      data: toTaskChangeData(directory, task),
      aggregate: id,
      actorId: caller.userId,
    });
  });
}

type Unassignment = { projectId: string; userId: string; actorId: string | null };

/** Unassigns the open tasks of a user and appends an event for each; done tasks keep their assignee. */
export async function unassignTasks(
  tx: Queryable,
  directory: Directory,
  { projectId, userId, actorId }: Unassignment,
): Promise<SharedTaskRow[]> {
  const rows = await unassignOpenTasks(tx, projectId, userId);
  // Uses one statement, because there may be thousands of tasks.
  await appendEvents(
    tx,
    rows.map((row) => ({
      event: taskUpdated,
      data: {
        ...toTaskChangeData(directory, row),
        progress: row.progress,
        changed: ['assignedTo'],
        previousAssignee: userId,
      },
      aggregate: row.id,
      actorId,
    })),
  );
  return rows;
}
