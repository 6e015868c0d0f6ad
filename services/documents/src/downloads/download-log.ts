import { toLimits } from '@atrium/service-kit/http/page';
import type { Outdated } from '@atrium/service-kit/postgres/housekeeping';
import type { Queryable } from '@atrium/service-kit/postgres/postgres';

/** How long it stays known who downloaded something. */
const LOG_DAYS = 180;

/** What of the log may go. */
export const OLD_DOWNLOADS: Outdated = ['document_downloads', `created_at < now() - interval '${LOG_DAYS} days'`];

export type DownloadRow = { id: string; user_id: string; file_number: number; created_at: Date };

/** Notes that somebody is given a link to a version of a document's file; before it is, so that nobody has one of which nothing is known. */
export async function noteDownload(
  db: Queryable,
  { documentId, userId, fileNumber }: { documentId: string; userId: string; fileNumber: number },
): Promise<void> {
  await db.query({
    name: 'note-download',
    text: 'insert into document_downloads (document_id, user_id, file_number) values ($1, $2, $3)',
    values: [documentId, userId, fileNumber],
  });
}

/** A page of a document's downloads, latest first, and how many there are. */
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
