import type { createDepartmentBody } from '@atrium/proto-events/http/departments';
import type { Caller } from '@atrium/service-kit/http/authenticate';
import { newId } from '@atrium/service-kit/process/new-id';
import type { z } from 'zod';
import type { Deps } from '../deps.ts';
import { announceDepartmentCreated } from './announce-department.ts';
import { insertDepartment } from './department-repository.ts';
import { presentDepartment } from './present-department.ts';

/** Makes a department; of two who give one name at once, one gets the conflict. */
export async function createDepartment({ db }: Deps, caller: Caller, { name }: z.output<typeof createDepartmentBody>) {
  return db.transaction(async (tx) => {
    const row = await insertDepartment(tx, { id: newId(), name });
    await announceDepartmentCreated(tx, row, { actorId: caller.userId });
    return presentDepartment(row);
  });
}
