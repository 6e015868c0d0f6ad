import { taskCreated } from '@atrium/proto-events/events/projects';
import type { createTaskBody } from '@atrium/proto-events/http/tasks';
import type { Directory } from '@atrium/service-kit/directory/directory';
import { AppError, notFound } from '@atrium/service-kit/errors/app-error';
import type { Caller } from '@atrium/service-kit/http/authenticate';
import { appendEvent } from '@atrium/service-kit/messaging/outbox';
import type { Queryable } from '@atrium/service-kit/postgres/postgres';
import { newId } from '@atrium/service-kit/process/new-id';
import type { z } from 'zod';
import { getCreateTasksDenial } from '../projects/membership.ts';
import { lockProjectForShare } from '../projects/project-repository.ts';
import { taskEventData } from './present-task.ts';
import { requireAssignee } from './require-assignee.ts';
import { newFields } from './task-fields.ts';
import { insertTask, type TaskRow } from './task-repository.ts';

/** Also used for decisions of meetings. Throws before the first write if the caller lacks permission. */
export async function addTask(
  tx: Queryable,
  directory: Directory,
  caller: Caller,
  body: z.output<typeof createTaskBody>,
): Promise<TaskRow> {
  // Locked, so that the project keeps existing and keeps its members until the task is inserted.
  const project = await lockProjectForShare(tx, body.project);
  if (!project) throw notFound('Project');
  const reason = getCreateTasksDenial(caller, project);
  if (reason !== undefined) throw new AppError('forbidden', reason);
  if (body.assignedTo !== null) requireAssignee(directory, project, body.assignedTo);
  const { project: projectId, ...given } = body;
  const row = await insertTask(tx, { id: newId(), projectId, createdBy: caller.userId, fields: newFields(given) });
  await appendEvent(tx, {
    event: taskCreated,
    data: { ...taskEventData(row), dueDate: row.dueDate },
    aggregate: row.id,
    actorId: caller.userId,
  });
  return row;
}
