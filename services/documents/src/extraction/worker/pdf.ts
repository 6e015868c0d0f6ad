import type { ReadableStreamDefaultReader } from 'node:stream/web';
import { fileURLToPath } from 'node:url';
// Its code for reading is found by its interface where it stands in the same process.
import 'pdfjs-dist/legacy/build/pdf.worker.mjs';
import { getDocument, type PDFDocumentProxy, VerbosityLevel } from 'pdfjs-dist/legacy/build/pdf.mjs';
import type { TextContent } from 'pdfjs-dist/types/src/display/api.js';
import { ExtractionError } from './fault.ts';
import { type Input, readAt } from './input.ts';
import type { TextSink } from './text-sink.ts';

/** Longer ones are no reading: the largest handbooks have four thousand. */
const MOST_PAGES = 5_000;

/** After so many what was kept of them is let go: fonts, and objects that a later page may ask for again. */
const PAGES_HELD = 100;

/** What characters the numbers mean that old fonts of East Asia have. */
const CHARACTER_MAPS = fileURLToPath(new URL('cmaps/', import.meta.resolve('pdfjs-dist/package.json')));

export async function readPdf(input: Input, sink: TextSink): Promise<void> {
  const document = await open(input);
  if (document.numPages > MOST_PAGES) throw new ExtractionError('too-long');
  for (let number = 1; number <= document.numPages; number += 1) {
    await readPage(document, number, sink);
    sink.gap('\n');
  }
}

async function open(input: Input): Promise<PDFDocumentProxy> {
  const loading = getDocument({
    // Whole, as each picture of a page is asked for, too, and by parts all of it would be held twice.
    data: new Uint8Array((await readAt(input, 0, input.size)).buffer),
    cMapUrl: CHARACTER_MAPS,
    // Pictures are not decoded, and nothing is drawn.
    useWasm: false,
    isOffscreenCanvasSupported: false,
    isImageDecoderSupported: false,
    disableFontFace: true,
    useSystemFonts: false,
    verbosity: VerbosityLevel.ERRORS,
  });
  return loading.promise.catch((error: unknown) => {
    // One that opens with an empty password, as those do which only forbid printing, has been read by now.
    throw error instanceof Error && error.name === 'PasswordException' ? new ExtractionError('encrypted') : error;
  });
}

async function readPage(document: PDFDocumentProxy, number: number, sink: TextSink): Promise<void> {
  const page = await document.getPage(number);
  // As it comes: one page alone may have more text than is wanted. Nothing is cancelled then: the process ends with it.
  const reader: TextReader = page.streamTextContent().getReader();
  for (let part = await reader.read(); part.value; part = await reader.read()) {
    for (const item of part.value.items) {
      if (!('str' in item)) continue;
      sink.words(item.str);
      if (item.hasEOL) sink.gap('\n');
    }
  }
  page.cleanup();
  if (number % PAGES_HELD === 0) await document.cleanup();
}

type TextReader = ReadableStreamDefaultReader<TextContent>;
