import type { WorkerLimits } from '@atrium/file-worker/open-source';

const MIB = 1024 * 1024;

/** Reasons that are properties of the file, so that a retry would not help. Shown to users. */
export type ExtractionFailureReason =
  | 'memory'
  | 'time'
  | 'damaged'
  | 'encrypted'
  /** Too many bytes, unpacked bytes, parts, or pages. */
  | 'too-long';

export type Extraction =
  | {
      state: 'text';
      /**
       * In reading order and NFC, without control characters. Words are separated by single spaces, cells by tabs, and
       * paragraphs by line feeds.
       */
      text: string;
      /** The text was longer than `Limits.characters`. */
      isTruncated: boolean;
    }
  /** A readable file without text, such as a scan. */
  | { state: 'empty' }
  | { state: 'unsupported' }
  | { state: 'failed'; reason: ExtractionFailureReason };

export type Limits = WorkerLimits & {
  /** UTF-16 units; the rest is not read. */
  characters: number;
};

export const DEFAULT_LIMITS: Readonly<Limits> = {
  memoryBytes: 256 * MIB,
  timeMs: 30_000,
  characters: 1_000_000,
  fileBytes: 128 * MIB,
};

/** Exit codes by which the worker reports its result, because its output is not trusted. */
export const EXIT = {
  complete: 0,
  truncated: 40,
  damaged: 41,
  encrypted: 42,
  'too-long': 43,
  unsupported: 44,
  memory: 45,
} as const;

/** How a file is read. The entries of a `package`, a zip, determine its format (OOXML, OpenDocument). */
export type FileKind = 'pdf' | 'package' | 'text' | 'compound';

const PACKAGE =
  /^application\/(zip|vnd\.openxmlformats-officedocument\..+|vnd\.oasis\.opendocument\..+|vnd\.ms-(word|excel|powerpoint)\..+)$/;

/** The worker decides whether bytes without a known signature (`application/octet-stream`) are legacy-encoded text. */
const TEXT = /^(text\/.+|application\/(json|xml|xhtml\+xml|octet-stream))$/;

/** `type` is the media type that was detected from the bytes. Returns undefined if it is unsupported. */
export function findFileKind(type: string): FileKind | undefined {
  const name = type.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  if (name === 'application/pdf') return 'pdf';
  if (PACKAGE.test(name)) return 'package';
  // The container of Office files before 2007, and of current ones with a password.
  if (name === 'application/x-cfb') return 'compound';
  return TEXT.test(name) ? 'text' : undefined;
}

/** Ends the extraction with a reason. The worker reports every other error as a damaged file. */
export class ExtractionError extends Error {
  readonly reason: Exclude<keyof typeof EXIT, 'complete'>;
  constructor(reason: ExtractionError['reason']) {
    super(reason);
    this.reason = reason;
  }
}
