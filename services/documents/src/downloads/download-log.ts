import type { Directory } from '@atrium/service-kit/directory/directory';
import { AppError } from '@atrium/service-kit/errors/app-error';
import type { Caller } from '@atrium/service-kit/http/authenticate';
import { toLimits, toPage } from '@atrium/service-kit/http/page';
import type { RetentionRule } from '@atrium/service-kit/postgres/housekeeping';
import type { Db, Queryable } from '@atrium/service-kit/postgres/postgres';
import { canManage, DOWNLOADS_DENIED } from '../documents/policy.ts';
import { requireReadable } from '../documents/require-document.ts';

const RETENTION_DAYS = 180;

export const EXPIRED_DOWNLOADS: RetentionRule = [
  'document_downloads',
  `created_at < now() - interval '${RETENTION_DAYS} days'`,
];

type DownloadRow = { id: string; user_id: string; file_number: number; created_at: Date };

export type DocumentFile = { documentId: string; fileNumber: number };

/** Call before the links are returned, so that every link is on record. */
export async function recordDownloads(db: Queryable, userId: string, files: readonly DocumentFile[]): Promise<void> {
  if (files.length === 0) return;
  await db.query({
    name: 'record-downloads',
    text: `insert into document_downloads (document_id, user_id, file_number)
           select d.id, $1, file.number from unnest($2::text[], $3::integer[]) as file (id, number)
           join all_documents d on d.id = file.id`,
    values: [userId, files.map(({ documentId }) => documentId), files.map(({ fileNumber }) => fileNumber)],
  });
}

async function listDownloadRows(db: Queryable, documentId: string, page: { page: number; limit: number }) {
  const { limit, offset } = toLimits(page);
  const [list, count] = await Promise.all([
    db.query<DownloadRow>(
      `select id::text, user_id, file_number, created_at from document_downloads
       where document_id = $1 order by id desc limit $2 offset $3`,
      [documentId, limit, offset],
    ),
    db.query<{ total: number }>('select count(*) as total from document_downloads where document_id = $1', [
      documentId,
    ]),
  ]);
  return { rows: list.rows, total: count.rows[0]?.total ?? 0 };
}

export async function listDownloads(
  { db, directory }: { db: Db; directory: Directory },
  caller: Caller,
  { id, page }: { id: string; page: { page: number; limit: number } },
) {
  const document = await requireReadable(db, caller, id);
  if (!canManage(caller, document)) throw new AppError('forbidden', DOWNLOADS_DENIED);
  const { rows, total } = await listDownloadRows(db, id, page);
  const data = rows.map((row) => ({
    _id: row.id,
    user: directory.summary(row.user_id),
    fileNumber: row.file_number,
    at: row.created_at.toISOString(),
  }));
  return toPage(data, total, page);
}
