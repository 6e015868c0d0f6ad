import type { FileKind } from '../file-kind.ts';
import type { Input } from './input.ts';
import type { TextSink } from './text-sink.ts';

/** Loads only the reader for one kind: loading all would take half of the worker's time. */
export async function readFile(kind: FileKind, input: Input, sink: TextSink): Promise<void> {
  switch (kind) {
    case 'pdf':
      return (await import('./pdf.ts')).readPdf(input, sink);
    case 'package':
      return (await import('./package.ts')).readPackage(input, sink);
    case 'text':
      return (await import('./plain-text.ts')).readPlainText(input, sink);
    case 'compound':
      return (await import('./compound.ts')).readCompound(input);
  }
}
