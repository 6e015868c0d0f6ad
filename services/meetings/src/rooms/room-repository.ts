import { AppError } from '@atrium/service-kit/errors/app-error';
import type { Limits } from '@atrium/service-kit/http/page';
import { isUniqueViolation, type Queryable } from '@atrium/service-kit/postgres/postgres';

/** `size` is the capacity in people. */
export type RoomRow = { id: string; name: string; size: number; department_ids: string[]; version: number };

const COLUMNS = 'id, name, size, department_ids, version';
const NOT_DELETED = 'deleted_at is null';

export async function listRoomRows(db: Queryable, { limit, offset }: Limits) {
  const [list, count] = await Promise.all([
    db.query<RoomRow>(`select ${COLUMNS} from rooms where ${NOT_DELETED} order by lower(name), id limit $1 offset $2`, [
      limit,
      offset,
    ]),
    db.query<{ total: number }>(`select count(*) as total from rooms where ${NOT_DELETED}`),
  ]);
  return { rows: list.rows, total: count.rows[0]?.total ?? 0 };
}

/**
 * Locks a room until the transaction ends, which serializes bookings and changes. Returns undefined for a deleted room.
 */
export async function lockRoom(tx: Queryable, id: string): Promise<RoomRow | undefined> {
  const { rows } = await tx.query<RoomRow>(
    `select ${COLUMNS} from rooms where id = $1 and ${NOT_DELETED} for no key update`,
    [id],
  );
  return rows[0];
}

const NAME_TAKEN = 'A room with this name already exists';

/** Throws `conflict` for a name in use: of concurrent requests with the same name, only one succeeds. */
async function mapNameConflict<T>(write: Promise<T>): Promise<T> {
  try {
    return await write;
  } catch (error) {
    if (isUniqueViolation(error, 'rooms_by_name')) throw new AppError('conflict', NAME_TAKEN);
    throw error;
  }
}

export async function insertRoom(tx: Queryable, row: Omit<RoomRow, 'version'>): Promise<RoomRow> {
  const values = [row.id, row.name, row.size, row.department_ids];
  await mapNameConflict(tx.query('insert into rooms (id, name, size, department_ids) values ($1, $2, $3, $4)', values));
  return { ...row, version: 1 };
}

export async function updateRoomRow(
  tx: Queryable,
  row: RoomRow,
  change: Partial<Pick<RoomRow, 'name' | 'size' | 'department_ids'>>,
): Promise<RoomRow> {
  const sets = Object.keys(change).map((column, index) => `${column} = $${index + 2}`);
  await mapNameConflict(
    tx.query(`update rooms set ${[...sets, 'updated_at = now()', 'version = version + 1'].join(', ')} where id = $1`, [
      row.id,
      ...Object.values(change),
    ]),
  );
  return { ...row, ...change, version: row.version + 1 };
}

export async function deleteRoomRow(tx: Queryable, id: string): Promise<Pick<RoomRow, 'id' | 'version'> | undefined> {
  const { rows } = await tx.query<Pick<RoomRow, 'id' | 'version'>>(
    `update rooms set deleted_at = now(), updated_at = now(), version = version + 1 where id = $1 and ${NOT_DELETED}
     returning id, version`,
    [id],
  );
  return rows[0];
}
