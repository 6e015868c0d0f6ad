import type { Queryable } from '@atrium/service-kit/postgres';

export type DepartmentRow = { id: string; name: string; is_active: boolean; version: number; employees: number };

/** By name; an employee is somebody who is not deleted (decisions, section 3). */
export async function listDepartmentRows(db: Queryable, page: { limit: number; offset: number }) {
  const [list, count] = await Promise.all([
    db.query<DepartmentRow>({
      name: 'list-departments',
      text: `select d.id, d.name, d.is_active, d.version,
                    (select count(*) from users u where u.department_id = d.id and u.deleted_at is null) as employees
             from departments d order by lower(d.name), d.id limit $1 offset $2`,
      values: [page.limit, page.offset],
    }),
    db.query<{ total: number }>({ name: 'count-departments', text: 'select count(*) as total from departments' }),
  ]);
  return { rows: list.rows, total: count.rows[0]?.total ?? 0 };
}

/** By id or name. An inactive one takes in nobody new; whoever is in it (`present`) may stay. */
export async function findDepartmentId(
  db: Queryable,
  idOrName: string,
  present: string | null,
): Promise<string | undefined> {
  const { rows } = await db.query<{ id: string }>(
    'select id from departments where (id = $1 or lower(name) = lower($1)) and (is_active or id = $2)',
    [idOrName, present],
  );
  return rows[0]?.id;
}
