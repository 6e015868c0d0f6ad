import type { updateProfileBody, updateUserBody } from '@atrium/proto-events/http/users';
import { invalidField } from '@atrium/service-kit/errors/app-error';
import type { Queryable } from '@atrium/service-kit/postgres/postgres';
import type { z } from 'zod';
import { findDepartmentId } from '../departments/department-repository.ts';
import type { UserChange, UserRow } from './user-repository.ts';

type Body = z.output<typeof updateProfileBody> & z.output<typeof updateUserBody>;

export async function toUserChange(tx: Queryable, before: UserRow, body: Body): Promise<UserChange> {
  return changedColumns(before, {
    first_name: body.firstName,
    last_name: body.lastName,
    phone: body.phone,
    location: body.location,
    department_id: await resolveDepartmentId(tx, before, body.department),
    role: body.role,
    status: body.status,
    bio: body.bio,
    skills: body.skills,
    timezone: body.timezone,
  });
}

/** If an administrator assigns a department, clears the self-assignment, even if the department is the same. */
export const clearDepartmentSelfAssigned = ({ department }: Pick<Body, 'department'>) =>
  department === undefined ? {} : { department_self_assigned: false, assigned_department_id: null };

export function changedColumns(
  before: UserRow,
  requested: { [K in keyof UserChange]: UserRow[K] | undefined },
): UserChange {
  const current: Record<string, unknown> = before;
  const differs = (column: string, value: unknown) => JSON.stringify(value) !== JSON.stringify(current[column]);
  return Object.fromEntries(
    Object.entries(requested).filter(([column, value]) => value !== undefined && differs(column, value)),
  );
}

async function resolveDepartmentId(tx: Queryable, before: UserRow, idOrName: string | null | undefined) {
  if (idOrName === undefined) return undefined;
  if (idOrName === null || idOrName === '') return null;
  const id = await findDepartmentId(tx, idOrName, before.department_id);
  if (id === undefined) throw invalidField('department', 'Unknown department');
  return id;
}
