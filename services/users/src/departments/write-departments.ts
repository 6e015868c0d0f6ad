import { departmentCreated, departmentDeleted, departmentUpdated } from '@atrium/proto-events/events/users';
import {
  createDepartment as createContract,
  type createDepartmentBody,
  type updateDepartmentBody,
} from '@atrium/proto-events/http/departments';
import type { DirectoryDepartment } from '@atrium/proto-events/people';
import { departmentKey } from '@atrium/service-kit/directory/follow-directory';
import { AppError, assertVersion, notFound } from '@atrium/service-kit/errors/app-error';
import type { Caller } from '@atrium/service-kit/http/authenticate';
import { type IdempotencyKey, withIdempotencyKey } from '@atrium/service-kit/http/idempotency';
import { appendDirectoryEntry, appendEvent } from '@atrium/service-kit/messaging/outbox';
import type { Queryable } from '@atrium/service-kit/postgres/postgres';
import { newId } from '@atrium/service-kit/process/new-id';
import type { z } from 'zod';
import type { Deps } from '../deps.ts';
import {
  changeDepartment,
  type DepartmentChange,
  type DepartmentRow,
  deleteDepartmentRow,
  findDepartment,
  insertDepartment,
  lockDepartment,
  presentDepartment,
} from './department-repository.ts';

type CreateDepartmentParams = { body: z.output<typeof createDepartmentBody>; key: IdempotencyKey | undefined };

/**
 * If two requests with the same name are concurrent, one fails with a conflict. A retry with the same key gets the
 * first response.
 */
export async function createDepartment({ db }: Deps, caller: Caller, { body, key }: CreateDepartmentParams) {
  return withIdempotencyKey(db, { caller, key }, async (tx) => {
    const row = await insertDepartment(tx, { id: newId(), name: body.name });
    await appendDepartmentCreated(tx, row, { actorId: caller.userId });
    return presentDepartment(row);
  });
}

type Body = z.output<typeof updateDepartmentBody>;

export async function updateDepartment(deps: Deps, caller: Caller, { id, body }: { id: string; body: Body }) {
  await assertDepartmentAdmin(deps.db, caller, id);
  return deps.db.transaction(async (tx) => {
    const before = await lockDepartment(tx, id);
    if (!before) throw notFound('Department');
    assertVersion(before, {
      version: body.version,
      label: 'this department',
      present: () => presentDepartment(before),
    });
    const change = toDepartmentChange(before, body);
    if (Object.keys(change).length === 0) return presentDepartment(before);
    const after = await changeDepartment(tx, id, change);
    await appendDepartmentUpdated(tx, after, { change, actorId: caller.userId });
    return presentDepartment(after);
  });
}

function toDepartmentChange(before: DepartmentRow, { name, isActive }: Body): DepartmentChange {
  return {
    ...(name !== undefined && name !== before.name && { name }),
    ...(isActive !== undefined && isActive !== before.is_active && { is_active: isActive }),
  };
}

/** Deletes a department. One with employees is deactivated instead, and returned. */
export async function deleteDepartment({ db }: Deps, caller: Caller, id: string) {
  await assertDepartmentAdmin(db, caller, id);
  return db.transaction(async (tx) => {
    const before = await lockDepartment(tx, id);
    if (!before) throw notFound('Department');
    if (before.employees === 0) {
      await deleteDepartmentRow(tx, id);
      await appendDepartmentDeleted(tx, before, { actorId: caller.userId });
      return undefined;
    }
    if (!before.is_active) return presentDepartment(before);
    const change = { is_active: false };
    const after = await changeDepartment(tx, id, change);
    await appendDepartmentUpdated(tx, after, { change, actorId: caller.userId });
    return presentDepartment(after);
  });
}

/**
 * Throws `forbidden`, or `not_found` for an unknown department. Departments are visible to everyone, so `forbidden`
 * reveals nothing.
 */
async function assertDepartmentAdmin(db: Queryable, caller: Caller, id: string): Promise<void> {
  if (caller.role === 'admin') return;
  throw (await findDepartment(db, id))
    ? new AppError('forbidden', createContract.forbiddenMessage)
    : notFound('Department');
}

type Actor = { actorId: string | null };

async function appendDepartmentCreated(tx: Queryable, row: DepartmentRow, { actorId }: Actor): Promise<void> {
  const data = { ...(await appendDepartmentEntry(tx, row)), department: presentDepartment(row) };
  await appendEvent(tx, { event: departmentCreated, data, aggregate: row.id, actorId });
}

async function appendDepartmentUpdated(
  tx: Queryable,
  row: DepartmentRow,
  { change, actorId }: Actor & { change: DepartmentChange },
): Promise<void> {
  const changed = Object.keys(change).map((column) => (column === 'is_active' ? 'isActive' : column));
  const data = { ...(await appendDepartmentEntry(tx, row)), changed, department: presentDepartment(row) };
  await appendEvent(tx, { event: departmentUpdated, data, aggregate: row.id, actorId });
}

/** The directory has no deletions: a deleted department becomes inactive, in a version after its last. */
async function appendDepartmentDeleted(tx: Queryable, row: DepartmentRow, { actorId }: Actor): Promise<void> {
  const data = await appendDepartmentEntry(tx, { ...row, is_active: false, version: row.version + 1 });
  await appendEvent(tx, { event: departmentDeleted, data, aggregate: row.id, actorId });
}

async function appendDepartmentEntry(tx: Queryable, { id, name, is_active, version }: DepartmentRow) {
  const fields = { name, isActive: is_active, version };
  const entry: DirectoryDepartment = { _id: id, ...fields };
  await appendDirectoryEntry(tx, departmentKey(id), entry);
  return { departmentId: id, ...fields };
}
