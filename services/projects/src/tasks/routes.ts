import * as contract from '@atrium/proto-events/http/tasks';
import { handle } from '@atrium/service-kit/handle';
import { idempotencyKey } from '@atrium/service-kit/idempotency';
import type { Deps } from '../app.ts';
import { createTask } from './create-task.ts';
import { listProjectTasks } from './read-tasks.ts';

export const taskRoutes = (deps: Deps) => [
  handle(contract.createTask, ({ body }, caller, { req }) =>
    createTask(deps, caller, { body, key: idempotencyKey(req) }),
  ),
  handle(contract.listProjectTasks, ({ params, query }, caller) =>
    listProjectTasks(deps, caller, { projectId: params.id, query }),
  ),
];
