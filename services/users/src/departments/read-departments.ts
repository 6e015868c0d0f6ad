import type { RequestOf } from '@atrium/proto-events/endpoint';
import type { listDepartments as listContract } from '@atrium/proto-events/http/departments';
import { notFound } from '@atrium/service-kit/errors/app-error';
import { toLimits, toPage } from '@atrium/service-kit/http/page';
import type { Deps } from '../deps.ts';
import { countDepartments, findDepartment, listDepartmentRows, presentDepartment } from './department-repository.ts';

type Query = RequestOf<typeof listContract>['query'];

export async function listDepartments({ db }: Deps, query: Query) {
  const { rows, ...count } = await listDepartmentRows(db, query.search, toLimits(query));
  return toPage(rows.map(presentDepartment), count.total, { ...query, ...count });
}

export async function getDepartment({ db }: Deps, id: string) {
  const row = await findDepartment(db, id);
  if (!row) throw notFound('Department');
  return presentDepartment(row);
}

export const getDepartmentStats = ({ db }: Deps) => countDepartments(db);
