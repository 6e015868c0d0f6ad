import { taskCreated } from '@atrium/proto-events/events/projects';
import type { createTaskBody } from '@atrium/proto-events/http/tasks';
import { AppError, notFound } from '@atrium/service-kit/http/app-error';
import type { Caller } from '@atrium/service-kit/http/authenticate';
import { once } from '@atrium/service-kit/http/idempotency';
import { appendEvent } from '@atrium/service-kit/messaging/outbox';
import { newId } from '@atrium/service-kit/process/new-id';
import type { z } from 'zod';
import type { Deps } from '../deps.ts';
import { holdProject } from '../projects/project-repository.ts';
import { createRefusal, placeOf } from './policy.ts';
import { presentTask, taskFacts } from './present-task.ts';
import { requireAssignee } from './require-assignee.ts';
import { newFields } from './task-fields.ts';
import { insertTask } from './task-repository.ts';

type Body = z.output<typeof createTaskBody>;

/** Creates a task in a project, for one of its people or nobody yet. */
export async function createTask(
  { db, directory }: Deps,
  caller: Caller,
  { body, key }: { body: Body; key: string | undefined },
) {
  return once(db, { caller, key, request: body }, async (tx) => {
    // Held, so that the project cannot go or lose its assignee before the task is in.
    const project = await holdProject(tx, body.project);
    if (!project) throw notFound('Project');
    const reason = createRefusal(caller, placeOf(caller, project));
    if (reason !== undefined) throw new AppError('forbidden', reason);
    if (body.assignedTo !== null) requireAssignee(directory, project, body.assignedTo);
    const { project: projectId, ...given } = body;
    const row = await insertTask(tx, { id: newId(), projectId, createdBy: caller.userId, fields: newFields(given) });
    await appendEvent(tx, {
      event: taskCreated,
      data: taskFacts(row),
      aggregate: row.id,
      actorId: caller.userId,
    });
    return presentTask(directory, caller, row);
  });
}
