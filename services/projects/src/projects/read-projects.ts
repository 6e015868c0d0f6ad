import type { RequestOf } from '@atrium/proto-events/endpoint';
import type {
  listProjects as listContract,
  getProjectStats as statsContract,
} from '@atrium/proto-events/http/projects';
import { notFound } from '@atrium/service-kit/errors/app-error';
import type { Caller } from '@atrium/service-kit/http/authenticate';
import { toPage } from '@atrium/service-kit/http/page';
import { findPage, type ListQuery } from '@atrium/service-kit/postgres/find-page';
import type { Queryable } from '@atrium/service-kit/postgres/postgres';
import type { z } from 'zod';
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
};

/** Uses an array, because the planner overestimates a subquery and would scan all projects. */
const IS_PROJECT_OF_USER = `id = any(array(
  select id from projects where manager_id = ? union select project_id from project_members where user_id = ?
))`;

export const toProjectListQuery = ({ userId, ids, search, status, priority }: ProjectFilter): ListQuery => ({
  from: 'projects',
  where: {
    'id = any(?)': ids,
    [IS_PROJECT_OF_USER]: userId,
    'status = any(?)': status,
    'priority = any(?)': priority,
  },
  search: { column: 'search', text: search },
  orderBy: 'updated_at desc, id desc',
});

type Query = RequestOf<typeof listContract>['query'];

export async function listProjects({ db, directory }: Deps, caller: Caller, query: Query & ProjectFilter) {
  const { ids, total, hasMore } = await findPage(db, toProjectListQuery(query), query);
  const rows = await readProjects(db, ids);
  return toPage(
    rows.map((row) => presentProject(directory, caller, row, query.people)),
    total,
    { ...query, hasMore },
  );
}

export async function getProject({ db, directory }: Deps, caller: Caller, id: string) {
  const row = await findProject(db, id);
  if (!row) throw notFound('Project');
  return presentProject(directory, caller, row);
}

type Stats = z.input<(typeof statsContract)['response']>;

export const getProjectStats = ({ db, directory }: Deps, caller: Caller) =>
  countProjects(db, localDateOf(directory, caller));

/** Overdue projects were due before `today` (YYYY-MM-DD), and are neither completed nor canceled. */
export async function countProjects(db: Queryable, today: string): Promise<Stats> {
  const { rows } = await db.query<Stats>({
    name: 'count-projects',
    text: `select coalesce(sum(n) filter (where status in ('in-progress', 'not-started')), 0) as active,
                  coalesce(sum(n) filter (where status = 'completed'), 0) as completed,
                  coalesce(sum(n), 0) as total,
                  coalesce(sum(n) filter (where status = 'not-started'), 0) as "notStarted",
                  coalesce(sum(n) filter (where status = 'in-progress'), 0) as "inProgress",
                  coalesce(sum(n) filter (where status = 'on-hold'), 0) as "onHold",
                  coalesce(sum(n) filter (where status = 'cancelled'), 0) as cancelled,
                  (select count(*) from projects
                   where status = any('{not-started,in-progress,on-hold}') and ${isPastDue('$1')}) as overdue
           from (select status, count(*)::int as n from projects group by status) as counts`,
    values: [today],
  });
  const [counts] = rows;
  if (!counts) throw new Error('Project statistics query returned no row');
  return counts;
}
