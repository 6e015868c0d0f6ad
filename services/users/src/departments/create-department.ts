import type { createDepartmentBody } from '@atrium/proto-events/http/departments';
import type { Caller } from '@atrium/service-kit/http/authenticate';
import { type IdempotencyKey, withIdempotencyKey } from '@atrium/service-kit/http/idempotency';
import { newId } from '@atrium/service-kit/process/new-id';
import type { z } from 'zod';
import type { Deps } from '../deps.ts';
import { insertDepartment } from './department-repository.ts';
import { presentDepartment } from './present-department.ts';
import { publishDepartmentCreated } from './publish-department-events.ts';

type CreateDepartmentParams = { body: z.output<typeof createDepartmentBody>; key: IdempotencyKey | undefined };

/** Of concurrent requests with the same name, one gets the conflict; a retry with the same key gets the first response. */
export async function createDepartment({ db }: Deps, caller: Caller, { body, key }: CreateDepartmentParams) {
  return withIdempotencyKey(db, { caller, key }, async (tx) => {
    const row = await insertDepartment(tx, { id: newId(), name: body.name });
    await publishDepartmentCreated(tx, row, { actorId: caller.userId });
    return presentDepartment(row);
  });
}
