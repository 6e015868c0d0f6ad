import type { WorkerLimits } from '@atrium/file-worker/limits';

const MIB = 1024 * 1024;

/** Why nothing can be read of a file, whatever is tried again: each is a property of the file, and what a person is told of it. */
export type Refusal =
  /** It wanted more memory than a worker may have. */
  | 'memory'
  /** It was not read within its time. */
  | 'time'
  /** Its bytes are not what they say they are. */
  | 'damaged'
  /** It asks for a password. */
  | 'encrypted'
  /** It has more bytes, unpacked bytes, parts or pages than are looked at. */
  | 'too-long';

/** What became of the text of a file. */
export type Extraction =
  /**
   * Its text: words separated by single spaces, tabs between cells and line feeds between paragraphs, in the order of reading, NFC,
   * without control characters. `cut` says that there was more of it than `Limits.characters`.
   */
  | { state: 'text'; text: string; cut: boolean }
  /** It can be read, and there is no text in it: a scan, for one. */
  | { state: 'empty' }
  /** It is of a kind that nobody here can read. */
  | { state: 'unsupported' }
  | { state: 'failed'; why: Refusal };

/** What reading one file may cost. */
export type Limits = WorkerLimits & {
  /** UTF-16 units of text after which no more is read. */
  characters: number;
};

export const DEFAULT_LIMITS: Readonly<Limits> = {
  memoryBytes: 256 * MIB,
  timeMs: 30_000,
  characters: 1_000_000,
  fileBytes: 128 * MIB,
};

/** How a worker ends, so that the process which began it knows without trusting a word of what it wrote. */
export const EXIT = {
  whole: 0,
  cut: 40,
  damaged: 41,
  encrypted: 42,
  'too-long': 43,
  unsupported: 44,
  memory: 45,
} as const;
