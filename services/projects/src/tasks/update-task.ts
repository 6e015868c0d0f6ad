import { taskUpdated } from '@atrium/proto-events/events/projects';
import type { updateTaskBody } from '@atrium/proto-events/http/tasks';
import type { Directory } from '@atrium/service-kit/directory/directory';
import { AppError, assertVersion, notFound } from '@atrium/service-kit/errors/app-error';
import type { Caller } from '@atrium/service-kit/http/authenticate';
import { appendEvent } from '@atrium/service-kit/messaging/outbox';
import type { Queryable } from '@atrium/service-kit/postgres/postgres';
import type { z } from 'zod';
import type { Deps } from '../deps.ts';
import { isProjectMember } from '../projects/membership.ts';
import { findProject } from '../projects/project-repository.ts';
import { getDenialReasons } from './policy.ts';
import { presentTask, taskEventData } from './present-task.ts';
import { requireAssignee } from './require-assignee.ts';
import { changedFields, type TaskFields } from './task-fields.ts';
import { changeTask, lockTask, type TaskRow } from './task-repository.ts';

type Body = z.output<typeof updateTaskBody>;
type Change = Partial<TaskFields>;

/** Fields an assignee outside the project can change. */
const ASSIGNEE_FIELDS = new Set(['status', 'progress', 'version']);

export async function updateTask({ db, directory }: Deps, caller: Caller, { id, body }: { id: string; body: Body }) {
  return db.transaction(async (tx) => {
    const before = await lockTask(tx, id, caller.userId);
    if (!before) throw notFound('Task');
    assertUpdateAllowed(caller, before, body);
    const present = () => presentTask(directory, caller, before);
    const { version, ...given } = body;
    assertVersion(before, { version, what: 'this task', present });
    const requested = changedFields(before, given);
    if (requested.assignedTo)
      await assertProjectMember(tx, directory, { id: before.project_id, userId: requested.assignedTo });
    const change = { ...requested, ...(await releaseReopened(tx, before, requested)) };
    if (Object.keys(change).length === 0) return presentTask(directory, caller, before);
    const after = await changeTask(tx, before, change, caller.userId);
    await appendEvent(tx, {
      event: taskUpdated,
      data: {
        ...{ ...taskEventData(after), dueDate: after.dueDate },
        ...{ progress: after.progress, changed: Object.keys(change) },
      },
      aggregate: id,
      actorId: caller.userId,
    });
    return presentTask(directory, caller, after);
  });
}

function assertUpdateAllowed(caller: Caller, before: TaskRow, body: Body): void {
  const denials = getDenialReasons(caller, before);
  const isAssigneeChange = Object.entries(body).every(
    ([field, value]) => value === undefined || ASSIGNEE_FIELDS.has(field),
  );
  const reason = isAssigneeChange ? denials.updateStatus : denials.update;
  if (reason !== undefined) throw new AppError('forbidden', reason);
}

type Assignment = { id: string; userId: string };

async function assertProjectMember(tx: Queryable, directory: Directory, { id, userId }: Assignment): Promise<void> {
  const project = await findProject(tx, id);
  if (!project) throw notFound('Project');
  requireAssignee(directory, project, userId);
}

/** A done task keeps a former member as assignee; reopened it is unassigned like their open tasks. */
async function releaseReopened(tx: Queryable, before: TaskRow, requested: Change): Promise<Change> {
  const reopens = before.status === 'done' && requested.status !== undefined;
  if (!reopens || before.assignedTo === null || requested.assignedTo !== undefined) return {};
  const project = await findProject(tx, before.project_id);
  return project && !isProjectMember(before.assignedTo, project) ? { assignedTo: null } : {};
}
