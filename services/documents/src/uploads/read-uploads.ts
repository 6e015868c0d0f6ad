import type { DocumentUpload, UnfinishedUpload } from '@atrium/proto-events/http/document-uploads';
import { AppError, notFound } from '@atrium/service-kit/errors/app-error';
import type { Caller } from '@atrium/service-kit/http/authenticate';
import type { Deps } from '../deps.ts';
import { lastPartOf, storedAs } from './upload-parts.ts';
import { deleteUpload, findUpload, listUploadRows, touchUpload, type UploadRow } from './upload-repository.ts';

export async function listUploads({ db }: Deps, caller: Caller): Promise<{ data: UnfinishedUpload[] }> {
  return { data: (await listUploadRows(db, caller)).map(present) };
}

/** Includes the parts that the store has; all of them for a finished upload. */
export async function getUpload({ db, store }: Deps, caller: Caller, id: string): Promise<DocumentUpload> {
  const upload = await findUpload(db, caller, id);
  if (!upload) throw notFound('Upload');
  return { ...present(upload), partBytes: upload.part_bytes, parts: await partsOf(store, upload) };
}

async function partsOf(store: Deps['store'], upload: UploadRow): Promise<number[]> {
  const all = Array.from({ length: lastPartOf(upload) }, (_, index) => index + 1);
  if (upload.finished_at) return all;
  const stored = await store.parts.list(storedAs(upload));
  if (stored) return stored.map(({ number }) => number);
  // The parts form an object that is not recorded yet, or the store has dropped them.
  if (await store.has(upload.object_key)) return all;
  throw notFound('Upload');
}

/** Releases the quota immediately. The row is deleted first: the sweep removes remaining parts. */
export async function cancelUpload({ db, store, remover }: Deps, caller: Caller, id: string): Promise<void> {
  const upload = await deleteUpload(db, caller, id);
  if (upload) {
    await store.parts.abort(storedAs(upload));
    remover.wake();
    return;
  }
  if (!(await touchUpload(db, caller, id))) throw notFound('Upload');
  throw new AppError('conflict', 'This upload is complete');
}

function present(upload: UploadRow): UnfinishedUpload {
  return {
    _id: upload.id,
    fileName: upload.file_name,
    size: upload.size,
    ...(upload.last_modified !== null && { lastModified: upload.last_modified }),
    document: upload.is_version ? upload.document_id : null,
    touchedAt: upload.touched_at.toISOString(),
  };
}
