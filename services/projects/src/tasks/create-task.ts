import { taskCreated } from '@atrium/proto-events/events/projects';
import type { createTaskBody } from '@atrium/proto-events/http/tasks';
import { AppError, notFound } from '@atrium/service-kit/app-error';
import type { Caller } from '@atrium/service-kit/authenticate';
import { once } from '@atrium/service-kit/idempotency';
import { newId } from '@atrium/service-kit/new-id';
import { appendEvent } from '@atrium/service-kit/outbox';
import type { z } from 'zod';
import type { Deps } from '../app.ts';
import { lockProject } from '../projects/project-repository.ts';
import { abilities, CREATE_REFUSED, isOfProject, mayCreateTask } from './policy.ts';
import { presentTask } from './present-task.ts';
import { insertTask } from './task-repository.ts';

type Body = z.output<typeof createTaskBody>;

/** Creates a task in a project, for one of its people or nobody yet. */
export async function createTask(
  { db, directory }: Deps,
  caller: Caller,
  { body, key }: { body: Body; key: string | undefined },
) {
  return once(db, { caller, key, request: body }, async (tx) => {
    // Locked, so that the project cannot go or lose its assignee before the task is in.
    const project = await lockProject(tx, body.project);
    if (!project) throw notFound('Project');
    if (!mayCreateTask(caller, project)) throw new AppError('forbidden', CREATE_REFUSED);
    if (body.assignedTo !== null && !isOfProject(body.assignedTo, project)) {
      const message = 'Tasks can be assigned to people of the project only';
      throw new AppError('validation_failed', message, {
        messages: [message],
        errors: [{ path: 'body.assignedTo', message }],
      });
    }
    const row = await insertTask(tx, {
      id: newId(),
      project_id: body.project,
      title: body.title,
      description: body.description,
      status: body.status,
      priority: body.priority,
      assigned_to: body.assignedTo,
      due_date: body.dueDate,
      created_by: caller.userId,
    });
    await appendEvent(tx, {
      event: taskCreated,
      data: {
        taskId: row.id,
        projectId: row.project_id,
        title: row.title,
        status: row.status,
        assignedTo: row.assigned_to,
        version: row.version,
      },
      aggregate: row.id,
      actorId: caller.userId,
    });
    return presentTask(directory, row, abilities(caller, project, row));
  });
}
