import type { RequestOf } from '@atrium/proto-events/endpoint';
import type { listDepartments as listContract } from '@atrium/proto-events/http/departments';
import { toPage } from '@atrium/service-kit/page';
import type { Deps } from '../app.ts';
import { type DepartmentRow, listDepartmentRows } from './department-repository.ts';

type Query = RequestOf<typeof listContract>['query'];

/** Every signed-in user reads departments (decisions, section 3). */
export async function listDepartments({ db }: Deps, query: Query) {
  const { rows, total } = await listDepartmentRows(db, {
    limit: query.limit,
    offset: (query.page - 1) * query.limit,
  });
  return toPage(rows.map(presentDepartment), total, query);
}

function presentDepartment({ id, name, is_active, version, employees }: DepartmentRow) {
  return { _id: id, name, employeeCount: employees, isActive: is_active, version };
}
