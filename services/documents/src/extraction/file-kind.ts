/** How a file is read. Which of the packages (OOXML, OpenDocument) a zip is, its entries say. */
export type FileKind = 'pdf' | 'package' | 'text' | 'compound';

const PACKAGE =
  /^application\/(zip|vnd\.openxmlformats-officedocument\..+|vnd\.oasis\.opendocument\..+|vnd\.ms-(word|excel|powerpoint)\..+)$/;

/** Bytes that no signature knows (`application/octet-stream`) may be text in an old character set: the worker finds out. */
const TEXT = /^(text\/.+|application\/(json|xml|xhtml\+xml|octet-stream))$/;

/** How to read a file of a media type which was found from its bytes (`uploads/find-type.ts`); undefined where nobody can. */
export function kindOf(type: string): FileKind | undefined {
  const name = type.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  if (name === 'application/pdf') return 'pdf';
  if (PACKAGE.test(name)) return 'package';
  // The container of Office before 2007, and of every package of today that has a password.
  if (name === 'application/x-cfb') return 'compound';
  return TEXT.test(name) ? 'text' : undefined;
}
