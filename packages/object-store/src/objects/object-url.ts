import type { ObjectStore } from '../s3/object-store.ts';
import { attachmentOf } from '../uploads/attachment.ts';

type Stored = { object_key: string; mimetype: string; extension: string; file_lost: boolean };

/**
 * Location of a file in a response: a fresh link that saves it under this name, nothing without an object store, or
 * that it is lost.
 */
export function objectUrl(store: Pick<ObjectStore, 'link'>, name: string, file: Stored) {
  if (file.file_lost) return { fileLost: true as const };
  const disposition = attachmentOf(name, file.extension);
  const downloadUrl = store.link({ objectKey: file.object_key, contentType: file.mimetype, disposition });
  return downloadUrl === undefined ? {} : { downloadUrl };
}
