import { userCreated, userUpdated } from '@atrium/proto-events/events/users';
import { userKey } from '@atrium/service-kit/directory/follow-directory';
import { appendDirectoryEntry, appendEvent, appendEvents } from '@atrium/service-kit/messaging/outbox';
import type { Queryable } from '@atrium/service-kit/postgres/postgres';
import { presentSharedUser, toDirectoryEntry } from './present-user.ts';
import type { UserRow } from './user-repository.ts';

type Actor = { actorId: string | null };

const FIELD_NAMES: Record<string, string> = {
  first_name: 'firstName',
  last_name: 'lastName',
  department_id: 'department',
  department_self_assigned: 'department',
  join_date: 'joinDate',
};
const UNPUBLISHED_COLUMNS = new Set(['sessions_valid_after', 'assigned_department_id']);

export async function appendUserCreated(tx: Queryable, row: UserRow, { actorId }: Actor): Promise<void> {
  await appendDirectoryEntry(tx, userKey(row.id), toDirectoryEntry(row));
  const data = { ...toEventData(row), invited: row.invited };
  await appendEvent(tx, { event: userCreated, data, aggregate: row.id, actorId });
}

export async function appendUserUpdated(
  tx: Queryable,
  row: UserRow,
  { columns, actorId }: Actor & { columns: string[] },
): Promise<void> {
  await appendDirectoryEntry(tx, userKey(row.id), toDirectoryEntry(row));
  const fields = columns
    .filter((column) => !UNPUBLISHED_COLUMNS.has(column))
    .map((column) => FIELD_NAMES[column] ?? column);
  const changed = [...new Set(fields)];
  await appendEvent(tx, { event: userUpdated, data: { ...toEventData(row), changed }, aggregate: row.id, actorId });
}

/** No directory entry and no new version: only lists show the number. */
export async function appendTasksCompleted(tx: Queryable, rows: UserRow[], { actorId }: Actor): Promise<void> {
  const events = rows.map((row) => ({
    event: userUpdated,
    data: { ...toEventData(row), changed: ['tasksCompleted'] },
    aggregate: row.id,
    actorId,
  }));
  await appendEvents(tx, events);
}

function toEventData(row: UserRow) {
  const { id, role, status, version } = row;
  return { userId: id, role, status, version, user: presentSharedUser(row) };
}
