import { TextDecoder } from 'node:util';

/** The first bytes of a file, and whether they are the whole file. */
export type Head = {
  bytes: Buffer;
  whole: boolean;
  /** If `bytes` are all ASCII: the first later bytes that are not, with some context before them. */
  later?: Buffer | undefined;
};

/** A text and its encoding, by its name in the Encoding Standard, or UTF-32. */
export type DecodedText = { text: string; encoding: string };

/** The text decoded by an encoding of the Encoding Standard; undefined for invalid bytes and unknown names. */
export function decode(name: string, { bytes, whole }: Head): string | undefined {
  try {
    return new TextDecoder(name, { fatal: true }).decode(bytes, { stream: !whole });
  } catch {
    return undefined;
  }
}
