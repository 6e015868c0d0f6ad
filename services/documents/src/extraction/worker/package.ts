import { ExtractionError } from './extraction-error.ts';
import type { Input } from './input.ts';
import type { TextSink } from './text-sink.ts';
import { openZip } from './zip.ts';

/** Detects the format from the parts: names and leading bytes may be misleading. */
export async function readPackage(input: Input, sink: TextSink): Promise<void> {
  const zip = await openZip(input);
  if (zip.names.has('[Content_Types].xml')) {
    const { readDocx, readPptx } = await import('./office.ts');
    if (zip.names.has('ppt/presentation.xml')) return readPptx(zip, sink);
    if (zip.names.has('xl/workbook.xml')) return (await import('./xlsx.ts')).readXlsx(zip, sink);
    if (zip.names.has('word/document.xml')) return readDocx(zip, sink);
  }
  if (zip.names.has('content.xml')) return (await import('./open-document.ts')).readOpenDocument(zip, sink);
  throw new ExtractionError('unsupported');
}
