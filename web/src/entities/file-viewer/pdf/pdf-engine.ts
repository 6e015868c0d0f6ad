import {
  GlobalWorkerOptions,
  getDocument,
  PDFDataRangeTransport,
  type PDFDocumentProxy,
  VerbosityLevel,
} from 'pdfjs-dist/legacy/build/pdf.mjs';
import workerUrl from 'pdfjs-dist/legacy/build/pdf.worker.min.mjs?url';

GlobalWorkerOptions.workerSrc = workerUrl;

/** Brings the bytes from `begin` up to but not including `end`. */
export type ReadRange = (begin: number, end: number, signal: AbortSignal) => Promise<Uint8Array>;

export type OpenedPdf = {
  document: Promise<PDFDocumentProxy>;
  /** Rejects, also long after it was opened, once a part of it cannot be had. */
  whole: Promise<never>;
  close: () => void;
};

const PART_BYTES = 256 * 1024;

/** What `build/pdf-data.ts` puts beside the app: fonts and characters that files name and do not bring, and decoders. */
const DATA = '/pdf';

/** Milliseconds before another try: whoever reads for an hour is without a network now and then. */
const PAUSES = [500, 2_000, 8_000];

async function persist<T>(read: () => Promise<T>, signal: AbortSignal): Promise<T> {
  for (const pause of PAUSES) {
    try {
      return await read();
    } catch (error) {
      if (signal.aborted) throw error;
      await new Promise((resolve) => setTimeout(resolve, pause));
    }
  }
  return read();
}

/** Opens a PDF of that many bytes, of which only the parts are read that its shown pages need. Nothing in it is run. */
export function openPdf(bytes: number, readRange: ReadRange): OpenedPdf {
  const stop = new AbortController();
  const { signal } = stop;
  const failed = Promise.withResolvers<never>();
  const transport = new PDFDataRangeTransport(bytes, null);
  transport.requestDataRange = (begin, end) => {
    persist(() => readRange(begin, end, signal), signal).then(
      (part) => transport.onDataRange(begin, part),
      // It would wait for that part for ever, and asks for it once only.
      (error: unknown) => failed.reject(error),
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
    // A policy that lets WebAssembly run lets it run anywhere.
    useWasm: false,
    useSystemFonts: false,
    enableXfa: false,
    verbosity: VerbosityLevel.ERRORS,
  });
  // What nobody listens to any more is no fault of the page.
  failed.promise.catch(() => undefined);
  return {
    document: Promise.race([task.promise, failed.promise]),
    whole: failed.promise,
    close() {
      stop.abort();
      void task.destroy();
    },
  };
}
