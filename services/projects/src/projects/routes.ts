import * as contract from '@atrium/proto-events/http/projects';
import { handle } from '@atrium/service-kit/http/handle';
import { idempotencyKey } from '@atrium/service-kit/http/idempotency';
import type { Deps } from '../deps.ts';
import { createProject } from './create-project.ts';
import { deleteProject } from './delete-project.ts';
import { getProject, getProjectStats, listProjects } from './read-projects.ts';
import { updateProject } from './update-project.ts';

export const projectRoutes = (deps: Deps) => [
  handle(contract.createProject, ({ body }, caller, { req }) =>
    createProject(deps, caller, { body, key: idempotencyKey(req) }),
  ),
  handle(contract.listProjects, ({ query }, caller) => listProjects(deps, caller, query)),
  handle(contract.getProjectStats, (_request, caller) => getProjectStats(deps, caller)),
  handle(contract.listMyProjects, ({ query }, caller) =>
    listProjects(deps, caller, { ...query, person: caller.userId }),
  ),
  handle(contract.getProject, ({ params }, caller) => getProject(deps, caller, params.id)),
  handle(contract.updateProject, ({ params, body }, caller) => updateProject(deps, caller, { id: params.id, body })),
  handle(contract.deleteProject, ({ params }, caller) => deleteProject(deps, caller, params.id)),
];
