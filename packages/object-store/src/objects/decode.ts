import { TextDecoder } from 'node:util';

/** The first bytes of a file, and whether they are all of it. */
export type Head = {
  bytes: Buffer;
  whole: boolean;
  /** Where `bytes` are ASCII alone: the first later bytes that are not, with some of what precedes them. */
  later?: Buffer | undefined;
};

/** A text and the encoding that it is in, by its name in the Encoding Standard, or UTF-32. */
export type DecodedText = { text: string; encoding: string };

/** The text in an encoding of the Encoding Standard; undefined for bytes that it does not have, and for an unknown name. */
export function decode(name: string, { bytes, whole }: Head): string | undefined {
  try {
    return new TextDecoder(name, { fatal: true }).decode(bytes, { stream: !whole });
  } catch {
    return undefined;
  }
}
