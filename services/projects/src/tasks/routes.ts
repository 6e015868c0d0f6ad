import * as contract from '@atrium/proto-events/http/tasks';
import { handle } from '@atrium/service-kit/http/handle';
import { idempotencyKey } from '@atrium/service-kit/http/idempotency';
import type { Deps } from '../deps.ts';
import { addComment } from './add-comment.ts';
import { createTask } from './create-task.ts';
import { deleteComment } from './delete-comment.ts';
import { deleteTask } from './delete-task.ts';
import { getTask, getTaskStats, listComments, listProjectTasks, listTasks } from './read-tasks.ts';
import { updateTask } from './update-task.ts';

export const taskRoutes = (deps: Deps) => [
  handle(contract.createTask, ({ body }, caller, { req }) =>
    createTask(deps, caller, { body, key: idempotencyKey(req) }),
  ),
  handle(contract.listTasks, ({ query }, caller) => listTasks(deps, caller, query)),
  handle(contract.getTaskStats, ({ query }, caller) => getTaskStats(deps, caller, query)),
  handle(contract.listMyTasks, ({ query }, caller) => listTasks(deps, caller, { ...query, assignedTo: caller.userId })),
  handle(contract.listProjectTasks, ({ params, query }, caller) =>
    listProjectTasks(deps, caller, { projectId: params.id, query }),
  ),
  handle(contract.getTask, ({ params }, caller) => getTask(deps, caller, params.id)),
  handle(contract.updateTask, ({ params, body }, caller) => updateTask(deps, caller, { id: params.id, body })),
  handle(contract.updateTaskProgress, ({ params, body }, caller) => updateTask(deps, caller, { id: params.id, body })),
  handle(contract.deleteTask, ({ params }, caller) => deleteTask(deps, caller, params.id)),
  handle(contract.listComments, ({ params, query }, caller) => listComments(deps, caller, { id: params.id, query })),
  handle(contract.addComment, ({ params, body }, caller, { req }) =>
    addComment(deps, caller, { taskId: params.id, comment: body.comment, key: idempotencyKey(req) }),
  ),
  handle(contract.deleteComment, ({ params }, caller) => deleteComment(deps, caller, params)),
];
