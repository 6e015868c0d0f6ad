import type { RequestOf } from '@atrium/proto-events/endpoint';
import type {
  createRoom as createContract,
  listRooms as listContract,
  Room,
  updateRoom as updateContract,
} from '@atrium/proto-events/http/rooms';
import type { Directory } from '@atrium/service-kit/directory/directory';
import { invalidField, notFound } from '@atrium/service-kit/http/app-error';
import type { Caller } from '@atrium/service-kit/http/authenticate';
import { refuseStale } from '@atrium/service-kit/http/optimistic-locking';
import { toLimits, toPage } from '@atrium/service-kit/http/page';
import { newId } from '@atrium/service-kit/process/new-id';
import type { Deps } from '../deps.ts';
import { mayBook } from './policy.ts';
import { changeRoom, insertRoom, listRoomRows, lockRoom, type RoomRow, removeRoom } from './room-repository.ts';

/** Everybody sees all rooms, and which of them they may book. */
export async function listRooms(
  { db, directory }: Deps,
  caller: Caller,
  query: RequestOf<typeof listContract>['query'],
) {
  const { rows, total } = await listRoomRows(db, toLimits(query));
  return toPage(
    rows.map((row) => presentRoom(directory, caller, row)),
    total,
    query,
  );
}

export async function createRoom(
  { db, directory }: Deps,
  caller: Caller,
  { departments, ...given }: RequestOf<typeof createContract>['body'],
): Promise<Room> {
  const department_ids = knownDepartments(directory, departments);
  const row = await insertRoom(db, { id: newId(), ...given, department_ids });
  return presentRoom(directory, caller, row);
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
    refuseStale(before, { version: body.version, what: 'this room', present });
    const change = {
      ...(body.name !== undefined && body.name !== before.name && { name: body.name }),
      ...(body.size !== undefined && body.size !== before.size && { size: body.size }),
      ...(body.departments && { department_ids: knownDepartments(directory, body.departments) }),
    };
    if (Object.keys(change).length === 0) return present();
    return presentRoom(directory, caller, await changeRoom(tx, before, change));
  });
}

export async function deleteRoom({ db }: Deps, id: string): Promise<void> {
  if (!(await removeRoom(db, id))) throw notFound('Room');
}

function knownDepartments(directory: Directory, ids: readonly string[]): string[] {
  if (!ids.every((id) => directory.department(id)?.isActive)) throw invalidField('departments', 'Unknown department');
  return [...new Set(ids)];
}

function presentRoom(directory: Directory, caller: Caller, row: RoomRow): Room {
  const departmentId = directory.user(caller.userId)?.departmentId ?? null;
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
    abilities: { book: mayBook(caller, departmentId, row), update: caller.role === 'admin' },
  };
}
