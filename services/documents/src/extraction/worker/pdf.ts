import { fileURLToPath } from 'node:url';
// Its code for reading is found by its interface where it stands in the same process.
import 'pdfjs-dist/legacy/build/pdf.worker.mjs';
import {
  getDocument,
  PDFDataRangeTransport,
  type PDFDocumentProxy,
  VerbosityLevel,
} from 'pdfjs-dist/legacy/build/pdf.mjs';
import { Fault } from './fault.ts';
import { type Input, readAt } from './input.ts';
import type { TextSink } from './text-sink.ts';

/** Longer ones are no reading: the largest handbooks have four thousand. */
const MOST_PAGES = 5_000;

/** What characters the numbers mean that old fonts of East Asia have. */
const CHARACTER_MAPS = fileURLToPath(new URL('cmaps/', import.meta.resolve('pdfjs-dist/package.json')));

/** The library asks for the bytes that it needs, so that a scan of 200 MB need not be held. */
class FileTransport extends PDFDataRangeTransport {
  readonly #input: Input;
  constructor(input: Input) {
    super(input.size, null);
    this.#input = input;
  }
  override requestDataRange(begin: number, end: number): void {
    void readAt(this.#input, begin, end - begin).then((bytes) => this.onDataRange(begin, new Uint8Array(bytes)));
  }
}

export async function readPdf(input: Input, sink: TextSink): Promise<void> {
  const document = await open(input);
  if (document.numPages > MOST_PAGES) throw new Fault('too-long');
  for (let number = 1; number <= document.numPages; number += 1) {
    await readPage(document, number, sink);
    sink.gap('\n');
  }
}

async function open(input: Input): Promise<PDFDocumentProxy> {
  const loading = getDocument({
    range: new FileTransport(input),
    disableAutoFetch: true,
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
    throw error instanceof Error && error.name === 'PasswordException' ? new Fault('encrypted') : error;
  });
}

async function readPage(document: PDFDocumentProxy, number: number, sink: TextSink): Promise<void> {
  const page = await document.getPage(number);
  const { items } = await page.getTextContent({ includeMarkedContent: false });
  for (const item of items) {
    if (!('str' in item)) continue;
    sink.words(item.str);
    if (item.hasEOL) sink.gap('\n');
  }
  page.cleanup();
}
