import { isAscii } from 'node:buffer';

/** Bytes at the beginning of a file that are always analyzed. */
export const HEAD_BYTES = 64 * 1024;
const SAMPLE_BYTES = 64 * 1024;
/** ASCII bytes kept before the first non-ASCII ones, because they indicate the language. */
const CONTEXT_BYTES = 256;
/** Matches a non-ASCII byte, or an escape sequence of ISO-2022-JP. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the escape character begins the sequence
const NON_ASCII = /[\u0080-\u00ff]|\u001b(?:\$[@B]|\([IJ])/;

type TextSampler = {
  add(chunk: Buffer): void;
  /** Whether further chunks are ignored. */
  isFull(): boolean;
  /** Returns the first non-ASCII bytes with their context, or undefined if they are in the head or missing. */
  read(): Buffer | undefined;
};

export function createTextSampler(): TextSampler {
  let asciiBytes = 0;
  let context = Buffer.alloc(0);
  let sample: Buffer | undefined;
  const isFull = () => sample !== undefined && (asciiBytes < HEAD_BYTES || sample.length >= SAMPLE_BYTES);
  return {
    isFull,
    add(chunk) {
      if (isFull()) return;
      const bytes = Buffer.concat([sample ?? context, chunk]);
      const start = sample ? 0 : findNonAscii(bytes);
      if (start === -1) {
        asciiBytes += chunk.length;
        context = bytes.subarray(-CONTEXT_BYTES);
        return;
      }
      if (!sample) asciiBytes += start - context.length;
      sample = bytes.subarray(Math.max(0, start - CONTEXT_BYTES)).subarray(0, SAMPLE_BYTES);
    },
    read: () => (asciiBytes < HEAD_BYTES ? undefined : sample),
  };
}

function findNonAscii(bytes: Buffer): number {
  if (isAscii(bytes) && !bytes.includes('\u001b')) return -1;
  return bytes.toString('latin1').search(NON_ASCII);
}
