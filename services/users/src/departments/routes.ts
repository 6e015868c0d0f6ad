import * as contract from '@atrium/proto-events/http/departments';
import { handle } from '@atrium/service-kit/handle';
import type { Deps } from '../app.ts';
import { listDepartments } from './list-departments.ts';

export const departmentRoutes = (deps: Deps) => [
  handle(contract.listDepartments, ({ query }) => listDepartments(deps, query)),
];
