// Loaded into the same process, where PDF.js finds it.
import 'pdfjs-dist/legacy/build/pdf.worker.mjs';
import type { ReadableStreamDefaultReader } from 'node:stream/web';
import { fileURLToPath } from 'node:url';
import { getDocument, type PDFDocumentProxy, VerbosityLevel } from 'pdfjs-dist/legacy/build/pdf.mjs';
import type { TextContent } from 'pdfjs-dist/types/src/display/api.js';
import { ExtractionError } from '../extraction.ts';
import { type Input, readAt } from './input.ts';
import type { TextSink } from './text-sink.ts';

/** The largest handbooks have four thousand pages. */
const MAX_PAGES = 5_000;

/** Cached fonts and objects are released after this many pages. */
const CLEANUP_INTERVAL_PAGES = 100;

/** Required for East Asian fonts. */
const CHARACTER_MAPS = fileURLToPath(new URL('cmaps/', import.meta.resolve('pdfjs-dist/package.json')));

export async function readPdf(input: Input, sink: TextSink): Promise<void> {
  const document = await open(input);
  if (document.numPages > MAX_PAGES) throw new ExtractionError('too-long');
  for (let number = 1; number <= document.numPages; number += 1) {
    await readPage(document, number, sink);
    sink.gap('\n');
  }
}

async function open(input: Input): Promise<PDFDocumentProxy> {
  const loadingTask = getDocument({
    // Read as a whole: PDF.js also requests the images of each page, so range reads would keep all bytes twice.
    data: new Uint8Array((await readAt(input, 0, input.size)).buffer),
    cMapUrl: CHARACTER_MAPS,
    // Images are not decoded, and nothing is rendered.
    useWasm: false,
    isOffscreenCanvasSupported: false,
    isImageDecoderSupported: false,
    disableFontFace: true,
    useSystemFonts: false,
    verbosity: VerbosityLevel.ERRORS,
  });
  return loadingTask.promise.catch((error: unknown) => {
    // Files with an empty password, which only restrict printing, do not cause this error.
    throw error instanceof Error && error.name === 'PasswordException' ? new ExtractionError('encrypted') : error;
  });
}

async function readPage(document: PDFDocumentProxy, number: number, sink: TextSink): Promise<void> {
  const page = await document.getPage(number);
  // Streamed, because a single page may exceed the text limit. Never canceled, because the process exits instead.
  const reader: TextReader = page.streamTextContent().getReader();
  for (let part = await reader.read(); part.value; part = await reader.read()) {
    for (const item of part.value.items) {
      if (!('str' in item)) continue;
      sink.writeWords(item.str);
      if (item.hasEOL) sink.gap('\n');
    }
  }
  page.cleanup();
  if (number % CLEANUP_INTERVAL_PAGES === 0) await document.cleanup();
}

type TextReader = ReadableStreamDefaultReader<TextContent>;
