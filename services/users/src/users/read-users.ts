import type { RequestOf } from '@atrium/proto-events/endpoint';
import {
  type listUsers as listContract,
  type listProjectManagers as managersContract,
  NO_DEPARTMENT,
  type getUserStats as statsContract,
} from '@atrium/proto-events/http/users';
import type { User } from '@atrium/proto-events/people';
import { notFound } from '@atrium/service-kit/errors/app-error';
import type { Caller } from '@atrium/service-kit/http/authenticate';
import { toPage } from '@atrium/service-kit/http/page';
import { findPage, type ListQuery } from '@atrium/service-kit/postgres/find-page';
import type { z } from 'zod';
import type { Deps } from '../deps.ts';
import { presentSummary, presentUser, presentUserTo } from './present-user.ts';
import { findUser, findUsers, type UserRow } from './user-repository.ts';

type Query = RequestOf<typeof listContract>['query'];

export async function listUsers({ db }: Deps, caller: Caller, query: Query) {
  const { ids, total, hasMore, asOf } = await findPage(db, toListQuery(query, toVisibleOrder(caller, query)), query);
  const users = (await findUsers(db, ids)).map((row) => presentUserTo(caller, row));
  return toPage(users, total, { ...query, hasMore, asOf });
}

/** Ignores sorting by last sign-in unless the caller is an administrator, because the order would reveal it. */
const toVisibleOrder = ({ role }: Caller, { sortBy, sortOrder }: Query) =>
  sortBy === 'lastLogin' && role !== 'admin' ? undefined : { sortBy, sortOrder };

export async function getUser({ db }: Deps, caller: Caller, id: string): Promise<User> {
  const row = await findUser(db, id);
  if (!row) throw notFound('User');
  return presentUserTo(caller, row);
}

export async function getProfile({ db }: Deps, { userId }: Caller): Promise<User> {
  const row = await findUser(db, userId);
  if (!row) throw notFound('User');
  return presentUser(row);
}

export async function listProjectManagers({ db }: Deps, query: RequestOf<typeof managersContract>['query']) {
  const list = toListQuery({ search: query.search, roles: ['admin', 'project_manager'], status: 'active' });
  const { ids } = await findPage(db, list, { page: 1, limit: query.limit });
  return (await findUsers(db, ids)).map(presentSummary);
}

type Order = Pick<Query, 'sortBy' | 'sortOrder'>;

type UserFilter = Pick<Query, 'search' | 'role' | 'status' | 'department'> & {
  ids?: string[] | undefined;
  roles?: UserRow['role'][];
};

const BY_NAME: Order = { sortBy: 'lastName', sortOrder: 'asc' };

/** The columns to sort by first. Last name, first name, and id follow, so that the order is total. */
const SORT_COLUMNS: Record<Query['sortBy'], string[]> = {
  lastName: [],
  name: ['first_name_sort_key'],
  role: ['role'],
  department: ['department_sort_key'],
  status: ['status'],
  lastLogin: ['last_login'],
};
const NAME_COLUMNS = ['last_name_sort_key', 'first_name_sort_key', 'id'];

/** The rules of `proto-events/src/responses/users.ts` in SQL. */
function orderByClause({ sortBy, sortOrder }: Order): string {
  return [
    ...SORT_COLUMNS[sortBy].map((column) => `${column} ${sortOrder} nulls last`),
    // Without `nulls last`, a descending list is read from the index as well.
    ...NAME_COLUMNS.map((column) => `${column} ${sortOrder}`),
  ].join(', ');
}

/** PostgreSQL joins the departments only to sort by them. */
const LISTED_USERS = `(select u.*, d.search collate "C" as department_sort_key
  from users u left join departments d on d.id = u.department_id where u.deleted_at is null) as users`;

const toListQuery = (
  { ids, search, role, roles, status, department }: UserFilter,
  order: Order = BY_NAME,
): ListQuery => ({
  from: LISTED_USERS,
  where: {
    'id = any(?)': ids,
    'role = ?': role,
    'role = any(?)': roles,
    'status = ?': status,
    'department_id = ?': department === NO_DEPARTMENT ? undefined : department,
    '(department_id is null) = ?': department === NO_DEPARTMENT || undefined,
  },
  search: { column: 'search', text: search },
  orderBy: orderByClause(order),
});

type Stats = z.input<(typeof statsContract)['response']>;

/** Excludes deleted users. Months are in UTC. */
export async function getUserStats({ db }: Deps): Promise<Stats> {
  const { rows } = await db.query<Stats>({
    name: 'count-users-by-kind',
    text: `select coalesce(sum(n), 0) as total,
                  coalesce(sum(n) filter (where role = 'admin'), 0) as admins,
                  coalesce(sum(n) filter (where role = 'project_manager'), 0) as "projectManagers",
                  coalesce(sum(n) filter (where role = 'member'), 0) as members,
                  coalesce(sum(n) filter (where status = 'active'), 0) as active,
                  coalesce(sum(n) filter (where status = 'inactive'), 0) as inactive,
                  (select count(*) from users
                   where deleted_at is null and join_date >= date_trunc('month', now(), 'UTC')) as "newThisMonth"
           from (select role, status, count(*)::int as n from users where deleted_at is null group by role, status) as counts`,
  });
  const [stats] = rows;
  if (!stats) throw new Error('User statistics query returned no row');
  return stats;
}
