import type { RequestOf } from '@atrium/proto-events/endpoint';
import { type listUsers, NO_DEPARTMENT } from '@atrium/proto-events/http/users';
import type { ListQuery } from '@atrium/service-kit/postgres/find-page';
import type { Queryable } from '@atrium/service-kit/postgres/postgres';
import { USER_COLUMNS, type UserRow } from './user-repository.ts';

type Query = RequestOf<typeof listUsers>['query'];
type Order = Pick<Query, 'sortBy' | 'sortOrder'>;

export type UserFilter = Pick<Query, 'search' | 'role' | 'status' | 'department'> & {
  ids?: string[] | undefined;
  roles?: UserRow['role'][];
};

const BY_NAME: Order = { sortBy: 'lastName', sortOrder: 'asc' };

/** Last name, first name, and id make each order total. */
const SORTED_BY: Record<Query['sortBy'], string[]> = {
  lastName: [],
  name: ['lower(first_name)'],
  role: ['role'],
  department: ['(select lower(name) from departments where departments.id = department_id)'],
  status: ['status'],
  lastLogin: ['last_login'],
};

function orderOf({ sortBy, sortOrder }: Order): string {
  const direction = sortOrder === 'asc' ? 'asc' : 'desc nulls last';
  return [...SORTED_BY[sortBy], 'lower(last_name)', 'lower(first_name)', 'id']
    .map((expression) => `${expression} ${direction}`)
    .join(', ');
}

export const userList = (
  { ids, search, role, roles, status, department }: UserFilter,
  order: Order = BY_NAME,
): ListQuery => ({
  from: '(select * from users where deleted_at is null) as users',
  where: {
    'id = any(?)': ids,
    'role = ?': role,
    'role = any(?)': roles,
    'status = ?': status,
    'department_id = ?': department === NO_DEPARTMENT ? undefined : department,
    '(department_id is null) = ?': department === NO_DEPARTMENT || undefined,
  },
  search: { in: 'search', for: search },
  orderBy: orderOf(order),
});

export async function readUsers(db: Queryable, ids: string[]): Promise<UserRow[]> {
  const { rows } = await db.query<UserRow>({
    name: 'read-users',
    text: `select ${USER_COLUMNS}
           from unnest($1::text[]) with ordinality as page (id, place)
           join users u on u.id = page.id left join departments d on d.id = u.department_id
           order by page.place`,
    values: [ids],
  });
  return rows;
}
