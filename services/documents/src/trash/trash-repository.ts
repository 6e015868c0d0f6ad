import type { Caller } from '@atrium/service-kit/http/authenticate';
import { toLimits } from '@atrium/service-kit/http/page';
import { type RetentionRule, SMALL_BATCH } from '@atrium/service-kit/postgres/housekeeping';
import type { Queryable } from '@atrium/service-kit/postgres/postgres';

export const TRASH_DAYS = 30;

/** Versions are deleted with the document, objects once nothing refers to them. */
export const EXPIRED_TRASH: RetentionRule = [
  'all_documents',
  `deleted_at < now() - interval '${TRASH_DAYS} days'`,
  SMALL_BATCH,
];

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

/** `$1` is the caller, `$2` whether they are an administrator. */
const IN_TRASH = 'd.deleted_at is not null and ($2::boolean or d.uploaded_by = $1)';
const callerParams = (caller: Caller): [string, boolean] => [caller.userId, caller.role === 'admin'];

export async function listDeletedRows(db: Queryable, caller: Caller, page: { page: number; limit: number }) {
  const { limit, offset } = toLimits(page);
  const [list, count] = await Promise.all([
    db.query<DeletedRow>(
      `select d.* from all_documents d where ${IN_TRASH} order by d.deleted_at desc, d.id desc limit $3 offset $4`,
      [...callerParams(caller), limit, offset],
    ),
    db.query<{ total: number }>(
      `select count(*) as total from all_documents d where ${IN_TRASH}`,
      callerParams(caller),
    ),
  ]);
  return { rows: list.rows, total: count.rows[0]?.total ?? 0 };
}

export async function moveToTrash(tx: Queryable, id: string, deletedBy: string): Promise<void> {
  await tx.query(
    `update all_documents set deleted_at = now(), deleted_by = $2, version = version + 1, updated_at = now()
     where id = $1 and deleted_at is null`,
    [id, deletedBy],
  );
}

export async function restoreFromTrash(tx: Queryable, caller: Caller, id: string): Promise<boolean> {
  const { rowCount } = await tx.query(
    `update all_documents d set deleted_at = null, deleted_by = null, version = version + 1, updated_at = now()
     where d.id = $3 and ${IN_TRASH}`,
    [...callerParams(caller), id],
  );
  return rowCount === 1;
}

export async function deleteFromTrash(tx: Queryable, caller: Caller, id: string): Promise<boolean> {
  const { rowCount } = await tx.query(`delete from all_documents d where d.id = $3 and ${IN_TRASH}`, [
    ...callerParams(caller),
    id,
  ]);
  return rowCount === 1;
}
