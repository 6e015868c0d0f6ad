import { isAscii } from 'node:buffer';

/** How many of the first bytes are looked at. */
export const HEAD_BYTES = 64 * 1024;
const SAMPLE_BYTES = 64 * 1024;
/** What precedes the first bytes that are not ASCII tells their language, too. */
const CONTEXT_BYTES = 256;
/** A byte that is not ASCII, or an escape sequence of ISO-2022-JP. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the escape character begins the sequence
const FOREIGN = /[\u0080-\u00ff]|\u001b(?:\$[@B]|\([IJ])/;

/** Collects, of a file that begins with ASCII alone, the first bytes that are not ASCII. */
export type TextSampler = {
  add(chunk: Buffer): void;
  /** Whether more bytes make no difference. */
  isFull(): boolean;
  /** Undefined where the head is not ASCII alone, or all of the file is. */
  read(): Buffer | undefined;
};

export function createTextSampler(): TextSampler {
  let seen = 0;
  let context = Buffer.alloc(0);
  let sample: Buffer | undefined;
  const isFull = () => sample !== undefined && (seen < HEAD_BYTES || sample.length >= SAMPLE_BYTES);
  return {
    isFull,
    add(chunk) {
      if (isFull()) return;
      const bytes = Buffer.concat([sample ?? context, chunk]);
      const start = sample ? 0 : findForeign(bytes);
      if (start === -1) {
        seen += chunk.length;
        context = bytes.subarray(-CONTEXT_BYTES);
        return;
      }
      if (!sample) seen += start - context.length;
      sample = bytes.subarray(Math.max(0, start - CONTEXT_BYTES)).subarray(0, SAMPLE_BYTES);
    },
    read: () => (seen < HEAD_BYTES ? undefined : sample),
  };
}

function findForeign(bytes: Buffer): number {
  if (isAscii(bytes) && !bytes.includes('\u001b')) return -1;
  return bytes.toString('latin1').search(FOREIGN);
}
