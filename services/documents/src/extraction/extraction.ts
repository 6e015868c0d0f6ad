import type { WorkerLimits } from '@atrium/file-worker/open-source';

const MIB = 1024 * 1024;

/** A property of the file, shown to users. */
export type ExtractionFailureReason =
  | 'memory'
  | 'time'
  | 'damaged'
  | 'encrypted'
  /** Too many bytes, unpacked bytes, parts, or pages. */
  | 'too-long';

export type Extraction =
  /**
   * Words separated by single spaces, cells by tabs, and paragraphs by line feeds, in reading order, NFC, without control characters.
   * `cut`: the text was longer than `Limits.characters`.
   */
  | { state: 'text'; text: string; cut: boolean }
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

/** Exit codes of a worker, so that its output need not be trusted to learn the result. */
export const EXIT = {
  whole: 0,
  cut: 40,
  damaged: 41,
  encrypted: 42,
  'too-long': 43,
  unsupported: 44,
  memory: 45,
} as const;

/** Entries of a zip determine its format (OOXML, OpenDocument). */
export type FileKind = 'pdf' | 'package' | 'text' | 'compound';

const PACKAGE =
  /^application\/(zip|vnd\.openxmlformats-officedocument\..+|vnd\.oasis\.opendocument\..+|vnd\.ms-(word|excel|powerpoint)\..+)$/;

/** Bytes without a known signature (`application/octet-stream`) may be text in a legacy encoding: the worker finds out. */
const TEXT = /^(text\/.+|application\/(json|xml|xhtml\+xml|octet-stream))$/;

/** `type` is detected from the bytes; undefined if unsupported. */
export function kindOf(type: string): FileKind | undefined {
  const name = type.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  if (name === 'application/pdf') return 'pdf';
  if (PACKAGE.test(name)) return 'package';
  // The container of Office files before 2007, and of current ones with a password.
  if (name === 'application/x-cfb') return 'compound';
  return TEXT.test(name) ? 'text' : undefined;
}

/** The reason is shown to users. All other errors mean that the file is damaged. */
export class ExtractionError extends Error {
  readonly reason: Exclude<keyof typeof EXIT, 'whole'>;
  constructor(reason: ExtractionError['reason']) {
    super(reason);
    this.reason = reason;
  }
}
