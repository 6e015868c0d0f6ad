import type { updateDepartmentBody } from '@atrium/proto-events/http/departments';
import { assertVersion, notFound } from '@atrium/service-kit/errors/app-error';
import type { Caller } from '@atrium/service-kit/http/authenticate';
import type { z } from 'zod';
import type { Deps } from '../deps.ts';
import { assertDepartmentAdmin } from './assert-department-admin.ts';
import {
  changeDepartment,
  type DepartmentChange,
  type DepartmentRow,
  lockDepartment,
} from './department-repository.ts';
import { presentDepartment } from './present-department.ts';
import { publishDepartmentUpdated } from './publish-department-events.ts';

type Body = z.output<typeof updateDepartmentBody>;

export async function updateDepartment(deps: Deps, caller: Caller, { id, body }: { id: string; body: Body }) {
  await assertDepartmentAdmin(deps.db, caller, id);
  return deps.db.transaction(async (tx) => {
    const before = await lockDepartment(tx, id);
    if (!before) throw notFound('Department');
    assertVersion(before, { version: body.version, what: 'this department', present: () => presentDepartment(before) });
    const change = changedColumns(before, body);
    if (Object.keys(change).length === 0) return presentDepartment(before);
    const after = await changeDepartment(tx, id, change);
    await publishDepartmentUpdated(tx, after, { change, actorId: caller.userId });
    return presentDepartment(after);
  });
}

function changedColumns(before: DepartmentRow, { name, isActive }: Body): DepartmentChange {
  return {
    ...(name !== undefined && name !== before.name && { name }),
    ...(isActive !== undefined && isActive !== before.is_active && { is_active: isActive }),
  };
}
