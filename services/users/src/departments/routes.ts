import * as contract from '@atrium/proto-events/http/departments';
import { handle } from '@atrium/service-kit/http/handle';
import { idempotencyKey } from '@atrium/service-kit/http/idempotency';
import type { Deps } from '../deps.ts';
import { createDepartment } from './create-department.ts';
import { deleteDepartment } from './delete-department.ts';
import { getDepartment, getDepartmentStats, listDepartments } from './read-departments.ts';
import { updateDepartment } from './update-department.ts';

export const departmentRoutes = (deps: Deps) => [
  handle(contract.listDepartments, ({ query }) => listDepartments(deps, query)),
  handle(contract.getDepartmentStats, () => getDepartmentStats(deps)),
  handle(contract.createDepartment, ({ body }, caller, { req }) =>
    createDepartment(deps, caller, { body, key: idempotencyKey(req) }),
  ),
  handle(contract.getDepartment, ({ params }) => getDepartment(deps, params.id)),
  handle(contract.updateDepartment, ({ params, body }, caller) =>
    updateDepartment(deps, caller, { id: params.id, body }),
  ),
  handle(contract.deleteDepartment, ({ params }, caller) => deleteDepartment(deps, caller, params.id)),
];
