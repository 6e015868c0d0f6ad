import type { RequestOf } from '@atrium/proto-events/endpoint';
import type { listUsers } from '@atrium/proto-events/http/users';
import type { List } from '@atrium/service-kit/postgres/find-page';
import type { Queryable } from '@atrium/service-kit/postgres/postgres';
import { USER_COLUMNS, type UserRow } from './user-repository.ts';

export type UserFilter = Pick<RequestOf<typeof listUsers>['query'], 'search' | 'role' | 'status' | 'department'> & {
  ids?: string[] | undefined;
  /** The one or the other. */
  roles?: UserRow['role'][];
};

/** People by name. */
export const userList = ({ ids, search, role, roles, status, department }: UserFilter): List => ({
  from: '(select * from users where deleted_at is null) as users',
  within: { 'id = any(?)': ids },
  where: {
    'role = ?': role,
    'role = any(?)': roles,
    'status = ?': status,
    'department_id = ?': department,
  },
  search: { in: 'search', for: search },
  orderBy: 'lower(last_name), lower(first_name), id',
  counts: ids ? undefined : 'user_counts',
});

/** People by their ids, in the given order. */
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
