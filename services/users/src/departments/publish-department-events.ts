import { departmentCreated, departmentDeleted, departmentUpdated } from '@atrium/proto-events/events/users';
import type { DirectoryDepartment } from '@atrium/proto-events/people';
import { departmentKey } from '@atrium/service-kit/directory/directory-feed';
import { appendDirectoryEntry, appendEvent } from '@atrium/service-kit/messaging/outbox';
import type { Queryable } from '@atrium/service-kit/postgres/postgres';
import type { DepartmentChange, DepartmentRow } from './department-repository.ts';

type Actor = { actorId: string | null };

export async function publishDepartmentCreated(tx: Queryable, row: DepartmentRow, { actorId }: Actor): Promise<void> {
  const data = await appendEntry(tx, row);
  await appendEvent(tx, { event: departmentCreated, data, aggregate: row.id, actorId });
}

export async function publishDepartmentUpdated(
  tx: Queryable,
  row: DepartmentRow,
  { change, actorId }: Actor & { change: DepartmentChange },
): Promise<void> {
  const changed = Object.keys(change).map((column) => (column === 'is_active' ? 'isActive' : column));
  const data = { ...(await appendEntry(tx, row)), changed };
  await appendEvent(tx, { event: departmentUpdated, data, aggregate: row.id, actorId });
}

/** The directory has no deletions: a deleted department becomes inactive, in a version after its last. */
export async function publishDepartmentDeleted(tx: Queryable, row: DepartmentRow, { actorId }: Actor): Promise<void> {
  const data = await appendEntry(tx, { ...row, is_active: false, version: row.version + 1 });
  await appendEvent(tx, { event: departmentDeleted, data, aggregate: row.id, actorId });
}

async function appendEntry(tx: Queryable, { id, name, is_active, version }: DepartmentRow) {
  const facts = { name, isActive: is_active, version };
  const entry: DirectoryDepartment = { _id: id, ...facts };
  await appendDirectoryEntry(tx, departmentKey(id), entry);
  return { departmentId: id, ...facts };
}
