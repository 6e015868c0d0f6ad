import {
  GlobalWorkerOptions,
  getDocument,
  PDFDataRangeTransport,
  type PDFDocumentProxy,
  VerbosityLevel,
} from 'pdfjs-dist/legacy/build/pdf.mjs';
import workerUrl from 'pdfjs-dist/legacy/build/pdf.worker.min.mjs?url';

GlobalWorkerOptions.workerSrc = workerUrl;

/** Fetches the bytes from `begin` up to but not including `end`. */
type ReadRange = (begin: number, end: number, signal: AbortSignal) => Promise<Uint8Array>;

type OpenedPdf = {
  document: Promise<PDFDocumentProxy>;
  /** Rejects if a part fails to load, possibly long after opening. */
  failure: Promise<never>;
  close: () => void;
};

const PART_BYTES = 256 * 1024;

/** Fonts, character maps, and decoders, written by `build/pdf-data.ts`. */
const DATA = '/pdf';

/** Covers brief network outages. */
const RETRY_DELAYS_MS = [500, 2_000, 8_000];

async function withRetries<T>(read: () => Promise<T>, signal: AbortSignal): Promise<T> {
  for (const delayMs of RETRY_DELAYS_MS) {
    try {
      return await read();
    } catch (error) {
      if (signal.aborted) throw error;
      await new Promise((resolve) => setTimeout(resolve, delayMs));
    }
  }
  return read();
}

/** Opens a PDF of `bytes` bytes and fetches only the parts needed for visible pages. Scripts in it are not run. */
export function openPdf(bytes: number, readRange: ReadRange): OpenedPdf {
  const stop = new AbortController();
  const { signal } = stop;
  const failure = Promise.withResolvers<never>();
  const transport = new PDFDataRangeTransport(bytes, null);
  transport.requestDataRange = (begin, end) => {
    withRetries(() => readRange(begin, end, signal), signal).then(
      (part) => transport.onDataRange(begin, part),
      // Otherwise pdf.js would wait forever: it requests each part only once.
      (error: unknown) => failure.reject(error),
    );
  };
  const task = getDocument({
    range: transport,
    rangeChunkSize: PART_BYTES,
    disableAutoFetch: true,
    disableStream: true,
    cMapUrl: `${DATA}/cmaps/`,
    standardFontDataUrl: `${DATA}/standard_fonts/`,
    wasmUrl: `${DATA}/wasm/`,
    // WebAssembly would require a content security policy that allows it.
    useWasm: false,
    useSystemFonts: false,
    enableXfa: false,
    verbosity: VerbosityLevel.ERRORS,
  });
  // Prevents an unhandled rejection when nothing listens anymore.
  failure.promise.catch(() => undefined);
  return {
    document: Promise.race([task.promise, failure.promise]),
    failure: failure.promise,
    close() {
      stop.abort();
      void task.destroy();
    },
  };
}
