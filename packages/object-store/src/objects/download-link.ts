import { cleanFileName, extensionOf } from '../file-names/file-name.ts';
import type { ObjectStore } from '../s3/object-store.ts';

type LinkedFile = { object_key: string; mimetype: string; extension: string; file_lost: boolean };

/** Returns the API fields of a download link: `fileLost` for a lost file, and none while the object store is unavailable. */
export function presentDownloadLink(store: Pick<ObjectStore, 'link'>, name: string, file: LinkedFile) {
  if (file.file_lost) return { fileLost: true as const };
  const disposition = attachmentDisposition(name, file.extension);
  const downloadUrl = store.link({ objectKey: file.object_key, contentType: file.mimetype, disposition });
  return downloadUrl === undefined ? {} : { downloadUrl };
}

/**
 * Makes browsers save the content under the name (RFC 6266, RFC 8187). A name without an extension gets that of the
 * uploaded file, so that it can be opened.
 */
export function attachmentDisposition(name: string, extension: string): string {
  return `attachment; ${fileNameParameters(name, extension)}`;
}

/** Lets browsers display the content. The name applies when it is saved. */
export function inlineDisposition(name: string, extension: string): string {
  return `inline; ${fileNameParameters(name, extension)}`;
}

function fileNameParameters(name: string, extension: string): string {
  const clean = cleanFileName(name.replace(/[\\/]/g, '-'));
  const fileName = extension !== '' && extensionOf(clean) === '' ? `${clean}.${extension}` : clean;
  const asciiFallback = fileName.replace(/[^\x20-\x7e]|["%\\]/g, '_');
  return `filename="${asciiFallback}"; filename*=UTF-8''${escapeRfc3986(fileName)}`;
}

/** The characters reserved by RFC 3986 that `encodeURIComponent` leaves. */
function escapeRfc3986(text: string): string {
  return encodeURIComponent(text).replace(/[!'()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`);
}
