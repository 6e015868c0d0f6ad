import { notFound } from '@atrium/service-kit/errors/app-error';
import type { Caller } from '@atrium/service-kit/http/authenticate';
import type { Deps } from '../deps.ts';
import { assertDepartmentAdmin } from './assert-department-admin.ts';
import { changeDepartment, lockDepartment, removeDepartment } from './department-repository.ts';
import { presentDepartment } from './present-department.ts';
import { publishDepartmentDeleted, publishDepartmentUpdated } from './publish-department-events.ts';

/** A department with employees is deactivated instead, and returned. */
export async function deleteDepartment({ db }: Deps, caller: Caller, id: string) {
  await assertDepartmentAdmin(db, caller, id);
  const by = { actorId: caller.userId };
  return db.transaction(async (tx) => {
    const before = await lockDepartment(tx, id);
    if (!before) throw notFound('Department');
    if (before.employees === 0) {
      await removeDepartment(tx, id);
      await publishDepartmentDeleted(tx, before, by);
      return undefined;
    }
    if (!before.is_active) return presentDepartment(before);
    const change = { is_active: false };
    const after = await changeDepartment(tx, id, change);
    await publishDepartmentUpdated(tx, after, { change, ...by });
    return presentDepartment(after);
  });
}
