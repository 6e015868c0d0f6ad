import { cleanFileName, extensionOf } from './file-name.ts';

/**
 * The `Content-Disposition` that saves a file under its name (RFC 6266, RFC 8187). A name that lost its extension gets the
 * uploaded file's, or nothing would open it.
 */
export function attachmentOf(name: string, extension: string): string {
  return `attachment; ${fileNameOf(name, extension)}`;
}

/** As `attachmentOf`, for what a browser may show: it is saved under that name from there. */
export function inlineOf(name: string, extension: string): string {
  return `inline; ${fileNameOf(name, extension)}`;
}

function fileNameOf(name: string, extension: string): string {
  const clean = cleanFileName(name.replace(/[\\/]/g, '-'));
  const fileName = extension !== '' && extensionOf(clean) === '' ? `${clean}.${extension}` : clean;
  const plain = fileName.replace(/[^\x20-\x7e]|["%\\]/g, '_');
  return `filename="${plain}"; filename*=UTF-8''${escapeRfc3986(fileName)}`;
}

/** `encodeURIComponent`, and the characters it leaves that RFC 3986 reserves. */
function escapeRfc3986(text: string): string {
  return encodeURIComponent(text).replace(/[!'()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`);
}
