import type { RequestOf } from '@atrium/proto-events/endpoint';
import { roomChanged } from '@atrium/proto-events/events/meetings';
import type {
  createRoom as createContract,
  listRooms as listContract,
  Room,
  updateRoom as updateContract,
} from '@atrium/proto-events/http/meetings/rooms';
import type { Directory } from '@atrium/service-kit/directory/directory';
import { assertVersion, invalidField, notFound } from '@atrium/service-kit/errors/app-error';
import type { Caller } from '@atrium/service-kit/http/authenticate';
import { type IdempotencyKey, withIdempotencyKey } from '@atrium/service-kit/http/idempotency';
import { toLimits, toPage } from '@atrium/service-kit/http/page';
import { appendEvent } from '@atrium/service-kit/messaging/outbox';
import type { Queryable } from '@atrium/service-kit/postgres/postgres';
import { newId } from '@atrium/service-kit/process/new-id';
import type { Deps } from '../deps.ts';
import { canBook } from './book-room.ts';
import { deleteRoomRow, insertRoom, listRoomRows, lockRoom, type RoomRow, updateRoomRow } from './room-repository.ts';

export async function listRooms(
  { db, directory }: Deps,
  caller: Caller,
  query: RequestOf<typeof listContract>['query'],
) {
  const { rows, total } = await listRoomRows(db, toLimits(query));
  const data = rows.map((row) => presentRoom(directory, caller, row));
  return toPage(data, total, query);
}

export async function createRoom(
  { db, directory }: Deps,
  caller: Caller,
  { body, key }: { body: RequestOf<typeof createContract>['body']; key: IdempotencyKey | undefined },
): Promise<Room> {
  return withIdempotencyKey(db, { caller, key }, async (tx) => {
    const { departments, ...fields } = body;
    const department_ids = validateDepartmentIds(directory, departments);
    const row = await insertRoom(tx, { id: newId(), ...fields, department_ids });
    await appendRoomChanged(tx, caller, { row, action: 'created' });
    return presentRoom(directory, caller, row);
  });
}

export async function updateRoom(
  { db, directory }: Deps,
  caller: Caller,
  { id, body }: { id: string; body: RequestOf<typeof updateContract>['body'] },
): Promise<Room> {
  return db.transaction(async (tx) => {
    const before = await lockRoom(tx, id);
    if (!before) throw notFound('Room');
    const present = () => presentRoom(directory, caller, before);
    assertVersion(before, { version: body.version, label: 'this room', present });
    const change = {
      ...(body.name !== undefined && body.name !== before.name && { name: body.name }),
      ...(body.size !== undefined && body.size !== before.size && { size: body.size }),
      ...(body.departments && { department_ids: validateDepartmentIds(directory, body.departments) }),
    };
    const columns = Object.keys(change);
    if (columns.length === 0) return present();
    const row = await updateRoomRow(tx, before, change);
    const changed = columns.map((column) => (column === 'department_ids' ? 'departments' : column));
    await appendRoomChanged(tx, caller, { row, action: 'updated', changed });
    return presentRoom(directory, caller, row);
  });
}

export async function deleteRoom({ db }: Deps, caller: Caller, id: string): Promise<void> {
  await db.transaction(async (tx) => {
    const row = await deleteRoomRow(tx, id);
    if (!row) throw notFound('Room');
    await appendRoomChanged(tx, caller, { row, action: 'deleted' });
  });
}

type RoomChange = {
  row: Pick<RoomRow, 'id' | 'version'>;
  action: 'created' | 'updated' | 'deleted';
  changed?: string[];
};

async function appendRoomChanged(
  tx: Queryable,
  { userId: actorId }: Caller,
  { row, action, changed = [] }: RoomChange,
): Promise<void> {
  const data = { roomId: row.id, action, changed, version: row.version };
  await appendEvent(tx, { event: roomChanged, data, aggregate: row.id, actorId });
}

function validateDepartmentIds(directory: Directory, ids: readonly string[]): string[] {
  if (!ids.every((id) => directory.department(id)?.isActive)) throw invalidField('departments', 'Unknown department');
  return [...new Set(ids)];
}

function presentRoom(directory: Directory, caller: Caller, row: RoomRow): Room {
  return {
    _id: row.id,
    name: row.name,
    size: row.size,
    departments: row.department_ids.flatMap((id) => {
      const department = directory.department(id);
      return department ? [{ _id: id, name: department.name }] : [];
    }),
    isForEveryone: row.department_ids.length === 0,
    version: row.version,
    abilities: { book: canBook(caller, row), update: caller.role === 'admin' },
  };
}
