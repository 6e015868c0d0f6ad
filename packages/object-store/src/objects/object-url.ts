import { attachmentOf } from '../file-names/content-disposition.ts';
import type { ObjectStore } from '../s3/object-store.ts';

type Stored = { object_key: string; mimetype: string; extension: string; file_lost: boolean };

/**
 * The fields of a response that locate a file: a new link that downloads it under this name, nothing while the object
 * store is unavailable, or `fileLost`.
 */
export function objectUrl(store: Pick<ObjectStore, 'link'>, name: string, file: Stored) {
  if (file.file_lost) return { fileLost: true as const };
  const disposition = attachmentOf(name, file.extension);
  const downloadUrl = store.link({ objectKey: file.object_key, contentType: file.mimetype, disposition });
  return downloadUrl === undefined ? {} : { downloadUrl };
}
