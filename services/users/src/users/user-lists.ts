import type { getUserStats } from '@atrium/proto-events/http/users';
import type { Queryable } from '@atrium/service-kit/postgres';
import type { z } from 'zod';
import type { UserRow } from './user-repository.ts';

export type UserFilter = {
  search?: string | undefined;
  role?: string | undefined;
  status?: string | undefined;
  department?: string | undefined;
};

const ORDER = 'order by lower(u.last_name), lower(u.first_name), u.id';

/** One page of people and how many there are. Each set of filters is a statement of its own, so that each has its own plan. */
export async function listUserRows(db: Queryable, filter: UserFilter, page: { limit: number; offset: number }) {
  const { name, where, values } = conditions(filter);
  const [list, count] = await Promise.all([
    db.query<UserRow>({
      name: `list-users${name}`,
      text: `select u.*, d.name as department_name from users u left join departments d on d.id = u.department_id
             where ${where} ${ORDER} limit $${values.length + 1} offset $${values.length + 2}`,
      values: [...values, page.limit, page.offset],
    }),
    db.query<{ total: number }>({
      name: `count-users${name}`,
      text: `select count(*) as total from users u where ${where}`,
      values,
    }),
  ]);
  return { rows: list.rows, total: count.rows[0]?.total ?? 0 };
}

function conditions({ search, role, status, department }: UserFilter) {
  const given: [name: string, sql: (parameter: string) => string, value: string | undefined][] = [
    ['search', (p) => `u.search like lower(${p})`, search && `%${search.replace(/[\\%_]/g, '\\$&')}%`],
    ['role', (p) => `u.role = ${p}`, role],
    ['status', (p) => `u.status = ${p}`, status],
    ['department', (p) => `u.department_id = ${p}`, department],
  ];
  const used = given.filter(([, , value]) => value);
  return {
    name: used.map(([name]) => `-${name}`).join(''),
    where: ['u.deleted_at is null', ...used.map(([, sql], index) => sql(`$${index + 1}`))].join(' and '),
    values: used.map(([, , value]) => value),
  };
}

/** Active people who may manage a project, in the list's order. */
export async function listProjectManagerRows(db: Queryable): Promise<UserRow[]> {
  const { rows } = await db.query<UserRow>({
    name: 'list-project-managers',
    text: `select u.*, d.name as department_name from users u left join departments d on d.id = u.department_id
           where u.role in ('admin', 'project_manager') and u.status = 'active' and u.deleted_at is null ${ORDER}`,
  });
  return rows;
}

type Stats = z.input<(typeof getUserStats)['response']>;

/** Months are UTC's. */
export async function countUsers(db: Queryable): Promise<Stats> {
  const { rows } = await db.query<Stats>({
    name: 'count-users-by-kind',
    text: `select count(*) as total,
                  count(*) filter (where role = 'admin') as admins,
                  count(*) filter (where role = 'project_manager') as "projectManagers",
                  count(*) filter (where role = 'member') as members,
                  count(*) filter (where status = 'active') as active,
                  count(*) filter (where status = 'inactive') as inactive,
                  count(*) filter (where join_date >= date_trunc('month', now(), 'UTC')) as "newThisMonth"
           from users where deleted_at is null`,
  });
  const [stats] = rows;
  if (!stats) throw new Error('an aggregate always has a row');
  return stats;
}
