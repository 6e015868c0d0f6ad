import { AppError } from '@atrium/service-kit/errors/app-error';
import type { Caller } from '@atrium/service-kit/http/authenticate';
import { toPage } from '@atrium/service-kit/http/page';
import type { Deps } from '../deps.ts';
import { canManage, DOWNLOADS_DENIED } from '../documents/policy.ts';
import { requireReadable } from '../documents/require-readable.ts';
import { listDownloadRows } from './download-log.ts';

/** Lists who was given a link to the file, for users who can manage the document. */
export async function listDownloads(
  { db, directory }: Deps,
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
