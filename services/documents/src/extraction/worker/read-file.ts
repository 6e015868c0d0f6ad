import { ExtractionError, type FileKind } from '../extraction.ts';
import { type Input, readChunks } from './input.ts';
import type { TextSink } from './text-sink.ts';

/** Loads only the reader that is needed, because loading all of them would take half of the worker's time. */
export async function readFile(kind: FileKind, input: Input, sink: TextSink): Promise<void> {
  switch (kind) {
    case 'pdf':
      return (await import('./pdf.ts')).readPdf(input, sink);
    case 'package':
      return readPackage(input, sink);
    case 'text':
      return (await import('./plain-text.ts')).readPlainText(input, sink);
    case 'compound':
      return readCompound(input);
  }
}

/** Detects the format from the parts: names and leading bytes may be misleading. */
async function readPackage(input: Input, sink: TextSink): Promise<void> {
  const { openZip } = await import('./zip.ts');
  const zip = await openZip(input);
  if (zip.names.has('[Content_Types].xml')) {
    const { readDocx, readPptx, readXlsx } = await import('./office-open-xml.ts');
    if (zip.names.has('ppt/presentation.xml')) return readPptx(zip, sink);
    if (zip.names.has('xl/workbook.xml')) return readXlsx(zip, sink);
    if (zip.names.has('word/document.xml')) return readDocx(zip, sink);
  }
  if (zip.names.has('content.xml')) return (await import('./open-document-format.ts')).readOpenDocument(zip, sink);
  throw new ExtractionError('unsupported');
}

/** The directory entry of an encrypted package (MS-OFFCRYPTO 2.3.4.4). */
const ENCRYPTED = Buffer.from('EncryptedPackage', 'utf16le');

/** Formats before 2007 are not supported; only encrypted packages are reported as such. */
async function readCompound(input: Input): Promise<never> {
  let tail = Buffer.alloc(0);
  for await (const chunk of readChunks(input)) {
    const window = Buffer.concat([tail, chunk]);
    if (window.includes(ENCRYPTED)) throw new ExtractionError('encrypted');
    tail = window.subarray(-ENCRYPTED.length);
  }
  throw new ExtractionError('unsupported');
}
