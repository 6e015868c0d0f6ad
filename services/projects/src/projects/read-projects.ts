import type { RequestOf } from '@atrium/proto-events/endpoint';
import type { listProjects as listContract, SharedProjectCounts } from '@atrium/proto-events/http/projects';
import { notFound } from '@atrium/service-kit/errors/app-error';
import type { Caller } from '@atrium/service-kit/http/authenticate';
import { toPage } from '@atrium/service-kit/http/page';
import { findPage, type ListQuery } from '@atrium/service-kit/postgres/find-page';
import type { Queryable } from '@atrium/service-kit/postgres/postgres';
import type { Deps } from '../deps.ts';
import { isPastDue, localDateOf } from './local-date.ts';
import { presentProject } from './present-project.ts';
import { findProject, readProjects } from './project-repository.ts';

export type ProjectFilter = {
  userId?: string;
  ids?: string[] | undefined;
  search?: string | undefined;
  status?: string[] | undefined;
  priority?: string[] | undefined;
  health?: string[] | undefined;
};

/** Uses an array, because the planner overestimates a subquery and would scan all projects. */
const IS_PROJECT_OF_USER = `id = any(array(
  select id from projects where manager_id = ? union select project_id from project_members where user_id = ?
))`;

export const toProjectListQuery = ({ userId, ids, search, status, priority, health }: ProjectFilter): ListQuery => ({
  from: 'projects',
  where: {
    'id = any(?)': ids,
    [IS_PROJECT_OF_USER]: userId,
    'status = any(?)': status,
    'priority = any(?)': priority,
    "coalesce(health, 'none') = any(?)": health,
  },
  search: { column: 'search', text: search },
  orderBy: 'updated_at desc, id desc',
});

type Query = RequestOf<typeof listContract>['query'];

export async function listProjects({ db, directory }: Deps, caller: Caller, query: Query & ProjectFilter) {
  const { ids, total, hasMore, asOf } = await findPage(db, toProjectListQuery(query), query);
  const rows = await readProjects(db, ids);
  return toPage(
    rows.map((row) => presentProject(directory, caller, row, query.people)),
    total,
    { ...query, hasMore, asOf },
  );
}

export async function getProject({ db, directory }: Deps, caller: Caller, id: string) {
  const row = await findProject(db, id);
  if (!row) throw notFound('Project');
  return presentProject(directory, caller, row);
}

export async function getProjectStats({ db, directory }: Deps, caller: Caller) {
  const today = localDateOf(directory, caller);
  const { overdueByDay, ...counts } = await countProjects(db, [today]);
  return { ...counts, overdue: overdueByDay[today] ?? 0 };
}

/** Overdue projects were due before the day (YYYY-MM-DD), and are neither completed nor canceled. */
export async function countProjects(db: Queryable, days: readonly string[]): Promise<SharedProjectCounts> {
  const { rows } = await db.query<SharedProjectCounts>({
    name: 'count-projects',
    text: `select coalesce(sum(n) filter (where status in ('in-progress', 'not-started')), 0) as active,
                  coalesce(sum(n) filter (where status = 'completed'), 0) as completed,
                  coalesce(sum(n), 0) as total,
                  coalesce(sum(n) filter (where status = 'not-started'), 0) as "notStarted",
                  coalesce(sum(n) filter (where status = 'in-progress'), 0) as "inProgress",
                  coalesce(sum(n) filter (where status = 'on-hold'), 0) as "onHold",
                  coalesce(sum(n) filter (where status = 'cancelled'), 0) as cancelled,
                  (select json_object_agg(day, (
                     select count(*) from projects
                     where status = any('{not-started,in-progress,on-hold}') and ${isPastDue('day')}
                   )) from unnest($1::text[]) as day) as "overdueByDay"
           from (select status, count(*)::int as n from projects group by status) as counts`,
    values: [days],
  });
  const [counts] = rows;
  if (!counts) throw new Error('Project statistics query returned no row');
  return counts;
}
