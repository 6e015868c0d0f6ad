import type { Caller } from '@atrium/service-kit/http/authenticate';
import { toLimits } from '@atrium/service-kit/http/page';
import { FEW, type RetentionRule } from '@atrium/service-kit/postgres/housekeeping';
import type { Queryable } from '@atrium/service-kit/postgres/postgres';

/** How long a deleted document stays in the bin (decisions, section 10). */
export const BIN_DAYS = 30;

/** What has been in the bin long enough: its versions go with it, and their objects once nothing else names them. */
export const EXPIRED_TRASH: RetentionRule = ['all_documents', `deleted_at < now() - interval '${BIN_DAYS} days'`, FEW];

export type DeletedRow = {
  id: string;
  name: string;
  mimetype: string;
  size: number;
  visibility: 'private' | 'team' | 'public';
  project_id: string | null;
  uploaded_by: string;
  deleted_at: Date;
  deleted_by: string;
};

/** Who finds a document `d` in the bin; `$1` is the caller, `$2` whether they are an administrator. */
const FOUND = 'd.deleted_at is not null and ($2::boolean or d.uploaded_by = $1)';
const finderOf = (caller: Caller): [string, boolean] => [caller.userId, caller.role === 'admin'];

export async function listDeletedRows(db: Queryable, caller: Caller, page: { page: number; limit: number }) {
  const { limit, offset } = toLimits(page);
  const [list, count] = await Promise.all([
    db.query<DeletedRow>(
      `select d.* from all_documents d where ${FOUND} order by d.deleted_at desc, d.id desc limit $3 offset $4`,
      [...finderOf(caller), limit, offset],
    ),
    db.query<{ total: number }>(`select count(*) as total from all_documents d where ${FOUND}`, finderOf(caller)),
  ]);
  return { rows: list.rows, total: count.rows[0]?.total ?? 0 };
}

/** Puts a locked document into the bin, and counts its version up. */
export async function moveToTrash(tx: Queryable, id: string, deletedBy: string): Promise<void> {
  await tx.query(
    `update all_documents set deleted_at = now(), deleted_by = $2, version = version + 1, updated_at = now()
     where id = $1 and deleted_at is null`,
    [id, deletedBy],
  );
}

/** Answers whether the caller found it there. */
export async function restoreFromTrash(tx: Queryable, caller: Caller, id: string): Promise<boolean> {
  const { rowCount } = await tx.query(
    `update all_documents d set deleted_at = null, deleted_by = null, version = version + 1, updated_at = now()
     where d.id = $3 and ${FOUND}`,
    [...finderOf(caller), id],
  );
  return rowCount === 1;
}

/** Answers whether the caller found it there. */
export async function removeFromBin(tx: Queryable, caller: Caller, id: string): Promise<boolean> {
  const { rowCount } = await tx.query(`delete from all_documents d where d.id = $3 and ${FOUND}`, [
    ...finderOf(caller),
    id,
  ]);
  return rowCount === 1;
}
