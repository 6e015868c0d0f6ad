import type { departmentResponse } from '@atrium/proto-events/http/departments';
import { searchNeedles } from '@atrium/proto-events/text/search';
import { AppError } from '@atrium/service-kit/errors/app-error';
import type { Limits } from '@atrium/service-kit/http/page';
import { AS_OF } from '@atrium/service-kit/postgres/find-page';
import { isUniqueViolation, likePattern, type Queryable } from '@atrium/service-kit/postgres/postgres';
import type { z } from 'zod';

export type DepartmentRow = { id: string; name: string; is_active: boolean; version: number; employees: number };

/** Employee counts exclude deleted users. */
const COLUMNS = `d.id, d.name, d.is_active, d.version,
  (select count(*) from users u where u.department_id = d.id and u.deleted_at is null) as employees`;

type DepartmentPage = { rows: DepartmentRow[]; total: number; asOf: string };

export async function listDepartmentRows(
  db: Queryable,
  search: string | undefined,
  page: Limits,
): Promise<DepartmentPage> {
  const patterns = searchNeedles(search ?? '').map(likePattern);
  // A search of only punctuation matches nothing.
  if (search && patterns.length === 0) return { rows: [], total: 0, asOf: '' };
  // One statement, so that the page and the total are of the same time; without rows on the page, one of them is null.
  const { rows } = await db.query<Nullable<DepartmentRow> & { total: number; as_of: string }>({
    name: 'list-departments',
    text: `with found as (select * from departments d where d.search like all ($1::text[]))
           select counts.total, ${AS_OF} as as_of, listed.*
           from (select count(*) as total from found) as counts left join (
             select ${COLUMNS}, row_number() over (order by d.search collate "C", d.id) as position from found d
             order by d.search collate "C", d.id limit $2 offset $3
           ) as listed on true
           order by listed.position`,
    values: [patterns, page.limit, page.offset],
  });
  const { total = 0, as_of: asOf = '' } = rows[0] ?? {};
  return { rows: rows.filter((row) => row.id !== null) as DepartmentRow[], total, asOf };
}

type Nullable<T> = { [Field in keyof T]: T[Field] | null };

export async function countDepartments(db: Queryable) {
  const { rows } = await db.query<{ total: number; active: number; employees: number }>({
    name: 'count-departments-by-kind',
    text: `select count(*) as total, count(*) filter (where is_active) as active,
                  (select count(*) from users where department_id is not null and deleted_at is null) as employees
           from departments`,
  });
  const [counts] = rows;
  if (!counts) throw new Error('Department statistics query returned no row');
  return counts;
}

export async function findDepartment(db: Queryable, id: string): Promise<DepartmentRow | undefined> {
  const { rows } = await db.query<DepartmentRow>({
    name: 'find-department',
    text: `select ${COLUMNS} from departments d where d.id = $1`,
    values: [id],
  });
  return rows[0];
}

/**
 * Also blocks assigning users until the transaction ends. Reads after locking, so that the employee count is complete.
 */
export async function lockDepartment(tx: Queryable, id: string): Promise<DepartmentRow | undefined> {
  await tx.query('select from departments where id = $1 for update', [id]);
  return findDepartment(tx, id);
}

/**
 * Finds a department by id or name. An inactive one is found only if it is the user's current department. Blocks
 * deleting and deactivating it until the transaction ends.
 */
export async function findDepartmentId(
  tx: Queryable,
  idOrName: string,
  currentId: string | null,
): Promise<string | undefined> {
  const { rows } = await tx.query<{ id: string }>(
    'select id from departments where (id = $1 or name_key = unique_key($1)) and (is_active or id = $2) for share',
    [idOrName, currentId],
  );
  return rows[0]?.id;
}

/** Throws `conflict` if the normalized name is taken. */
export async function insertDepartment(
  tx: Queryable,
  { id, name }: { id: string; name: string },
): Promise<DepartmentRow> {
  await rejectTakenName(tx.query('insert into departments (id, name) values ($1, $2)', [id, name]));
  return requireRow(await findDepartment(tx, id));
}

export type DepartmentChange = { name?: string; is_active?: boolean };

/** Increments the version. Throws `conflict` like `insertDepartment`. */
export async function changeDepartment(tx: Queryable, id: string, change: DepartmentChange): Promise<DepartmentRow> {
  const assignments = Object.keys(change).map((column, index) => `${column} = $${index + 2}`);
  const text = `update departments set ${[...assignments, 'updated_at = now()', 'version = version + 1'].join(', ')} where id = $1`;
  await rejectTakenName(tx.query(text, [id, ...Object.values(change)]));
  return requireRow(await findDepartment(tx, id));
}

export async function deleteDepartmentRow(tx: Queryable, id: string): Promise<void> {
  await tx.query('delete from departments where id = $1', [id]);
}

async function rejectTakenName(write: Promise<unknown>): Promise<void> {
  try {
    await write;
  } catch (error) {
    if (!isUniqueViolation(error, 'departments_name')) throw error;
    throw new AppError('conflict', 'A department with this name already exists', { cause: error });
  }
}

function requireRow(row: DepartmentRow | undefined): DepartmentRow {
  if (!row) throw new Error('Department not found after write');
  return row;
}

export function presentDepartment(row: DepartmentRow): z.input<typeof departmentResponse> {
  return {
    _id: row.id,
    name: row.name,
    employeeCount: row.employees,
    isActive: row.is_active,
    version: row.version,
  };
}
