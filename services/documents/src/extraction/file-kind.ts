/** How to read a file. Entries of a zip determine its format (OOXML, OpenDocument). */
export type FileKind = 'pdf' | 'package' | 'text' | 'compound';

const PACKAGE =
  /^application\/(zip|vnd\.openxmlformats-officedocument\..+|vnd\.oasis\.opendocument\..+|vnd\.ms-(word|excel|powerpoint)\..+)$/;

/** Bytes without a known signature (`application/octet-stream`) may be text in a legacy encoding: the worker finds out. */
const TEXT = /^(text\/.+|application\/(json|xml|xhtml\+xml|octet-stream))$/;

/** How to read a file of a media type detected from its bytes (`packages/object-store/src/objects/find-type.ts`); undefined if unsupported. */
export function kindOf(type: string): FileKind | undefined {
  const name = type.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  if (name === 'application/pdf') return 'pdf';
  if (PACKAGE.test(name)) return 'package';
  // The container of Office files before 2007, and of current ones with a password.
  if (name === 'application/x-cfb') return 'compound';
  return TEXT.test(name) ? 'text' : undefined;
}
