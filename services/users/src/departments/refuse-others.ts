import { AppError, notFound } from '@atrium/service-kit/app-error';
import type { Caller } from '@atrium/service-kit/authenticate';
import type { Queryable } from '@atrium/service-kit/postgres';
import { findDepartment } from './department-repository.ts';
import { WRITE_REFUSED, WRITERS } from './policy.ts';

/** Throws `forbidden` for who may not change that department, `not_found` where there is none to be refused. */
export async function refuseOthers(db: Queryable, caller: Caller, id: string): Promise<void> {
  if (WRITERS.includes(caller.role)) return;
  throw (await findDepartment(db, id)) ? new AppError('forbidden', WRITE_REFUSED) : notFound('Department');
}
