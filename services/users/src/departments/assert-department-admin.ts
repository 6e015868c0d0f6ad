import { createDepartment } from '@atrium/proto-events/http/departments';
import { AppError, notFound } from '@atrium/service-kit/errors/app-error';
import type { Caller } from '@atrium/service-kit/http/authenticate';
import type { Queryable } from '@atrium/service-kit/postgres/postgres';
import { findDepartment } from './department-repository.ts';

/**
 * Throws `forbidden`, or `not_found` for an unknown department. Departments are visible to everyone, so `forbidden` reveals nothing.
 */
export async function assertDepartmentAdmin(db: Queryable, caller: Caller, id: string): Promise<void> {
  if (caller.role === 'admin') return;
  throw (await findDepartment(db, id))
    ? new AppError('forbidden', createDepartment.forbiddenMessage)
    : notFound('Department');
}
