import type { updateDepartmentBody } from '@atrium/proto-events/http/departments';
import { AppError, notFound } from '@atrium/service-kit/app-error';
import type { Caller } from '@atrium/service-kit/authenticate';
import type { z } from 'zod';
import type { Deps } from '../app.ts';
import { announceDepartmentUpdated } from './announce-department.ts';
import {
  changeDepartment,
  type DepartmentChange,
  type DepartmentRow,
  lockDepartment,
} from './department-repository.ts';
import { presentDepartment } from './present-department.ts';
import { refuseOthers } from './refuse-others.ts';

type Body = z.output<typeof updateDepartmentBody>;

/** Renames a department, deactivates it or brings it back. */
export async function updateDepartment(deps: Deps, caller: Caller, { id, body }: { id: string; body: Body }) {
  await refuseOthers(deps.db, caller, id);
  return deps.db.transaction(async (tx) => {
    const before = await lockDepartment(tx, id);
    if (!before) throw notFound('Department');
    refuseStale(before, body.version);
    const change = changedColumns(before, body);
    if (Object.keys(change).length === 0) return presentDepartment(before);
    const after = await changeDepartment(tx, id, change);
    await announceDepartmentUpdated(tx, after, { change, actorId: caller.userId });
    return presentDepartment(after);
  });
}

function refuseStale(before: DepartmentRow, version: number | undefined): void {
  if (version === undefined || version === before.version) return;
  const current = presentDepartment(before);
  throw new AppError('stale_version', 'Someone else has changed this department in the meantime', { current });
}

function changedColumns(before: DepartmentRow, { name, isActive }: Body): DepartmentChange {
  return {
    ...(name !== undefined && name !== before.name && { name }),
    ...(isActive !== undefined && isActive !== before.is_active && { is_active: isActive }),
  };
}
