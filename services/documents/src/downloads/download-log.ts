import { toLimits } from '@atrium/service-kit/http/page';
import type { RetentionRule } from '@atrium/service-kit/postgres/housekeeping';
import type { Queryable } from '@atrium/service-kit/postgres/postgres';

const RETENTION_DAYS = 180;

export const EXPIRED_DOWNLOADS: RetentionRule = [
  'document_downloads',
  `created_at < now() - interval '${RETENTION_DAYS} days'`,
];

export type DownloadRow = { id: string; user_id: string; file_number: number; created_at: Date };

export type DocumentFile = { documentId: string; fileNumber: number };

/** Records that a user is given download links. Called before they are returned, so that every link is on record. */
export async function recordDownloads(db: Queryable, userId: string, files: readonly DocumentFile[]): Promise<void> {
  if (files.length === 0) return;
  await db.query({
    name: 'record-downloads',
    text: `insert into document_downloads (document_id, user_id, file_number)
           select d.id, $1, given.number from unnest($2::text[], $3::integer[]) as given (id, number)
           join all_documents d on d.id = given.id`,
    values: [userId, files.map(({ documentId }) => documentId), files.map(({ fileNumber }) => fileNumber)],
  });
}

/** A page of a document's downloads, latest first, and the total. */
export async function listDownloadRows(db: Queryable, documentId: string, page: { page: number; limit: number }) {
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
