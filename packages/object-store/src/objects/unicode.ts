import { TextDecoder } from 'node:util';
import { createDecoder } from '@atrium/proto-events/text/decoder';

export type Head = {
  bytes: Buffer;
  /** Whether `bytes` are the complete file. */
  isComplete: boolean;
  /** The first non-ASCII bytes after `bytes`, with some context before them. Set only if `bytes` are all ASCII. */
  firstNonAscii?: Buffer | undefined;
};

export type DecodedText = { text: string; encoding: string };

/** Returns undefined for invalid bytes and unknown encoding names. */
export function decode(name: string, { bytes, isComplete }: Head): string | undefined {
  try {
    return new TextDecoder(name, { fatal: true }).decode(bytes, { stream: !isComplete });
  } catch {
    return undefined;
  }
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: matches control characters on purpose
export const BINARY = /[\u0000-\u0008\u000e-\u001a\u001c-\u001f\u007f]/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: the escape sequences that select a Japanese character set
const ISO_2022_JP = /\u001b(?:\$[@B]|\([IJ])/;
/** Maximum ratio of undecodable characters in text with a byte-order mark. A single one is always allowed. */
const MAX_DAMAGE_RATIO = 0.01;
const REPLACEMENT = '\ufffd';

/** Longer marks come first, because the mark of little-endian UTF-32 begins with that of UTF-16. */
const MARKS = [
  ['utf-32le', [0xff, 0xfe, 0, 0]],
  ['utf-32be', [0, 0, 0xfe, 0xff]],
  ['utf-8', [0xef, 0xbb, 0xbf]],
  ['utf-16be', [0xfe, 0xff]],
  ['utf-16le', [0xff, 0xfe]],
] as const;

export const hasByteOrderMark = (bytes: Buffer): boolean => findMarks(bytes).length > 0;

const findMarks = (bytes: Buffer) => MARKS.filter(([, mark]) => mark.every((byte, index) => bytes[index] === byte));

/** Decodes Unicode with a byte-order mark ("BOM sniff" of the Encoding Standard), and UTF-8. */
export function decodeUnicode(head: Head): DecodedText | undefined {
  const decoded = decodeByByteOrderMark(head);
  if (decoded) return decoded;
  const text = decode('utf-8', head);
  if (text === undefined) return decodeDamagedUtf8(head);
  if (BINARY.test(text)) return undefined;
  if (!ISO_2022_JP.test(text)) return { text, encoding: 'utf-8' };
  const japanese = decode('iso-2022-jp', head);
  return japanese === undefined ? { text, encoding: 'utf-8' } : { text: japanese, encoding: 'iso-2022-jp' };
}

function decodeByByteOrderMark({ bytes }: Head): DecodedText | undefined {
  for (const [encoding] of findMarks(bytes)) {
    const text = createDecoder(encoding).decode(bytes, { stream: true });
    const isDamaged = countReplaced(text) > Math.max(1, text.length * MAX_DAMAGE_RATIO);
    if (!BINARY.test(text) && !isDamaged) return { text, encoding };
  }
  return undefined;
}

/**
 * Decodes UTF-8 with some damage, as in a truncated log. In UTF-8, at least two thirds of the non-ASCII bytes form
 * valid sequences; in legacy Asian encodings, at most half of them do.
 */
function decodeDamagedUtf8({ bytes, isComplete }: Head): DecodedText | undefined {
  const text = createDecoder('utf-8').decode(bytes, { stream: !isComplete });
  const damage = countReplaced(text);
  const valid = (text.match(/[^\0-\x7f]/gu)?.length ?? 0) - damage;
  return valid >= 2 && valid >= 2 * damage && !BINARY.test(text) ? { text, encoding: 'utf-8' } : undefined;
}

const countReplaced = (text: string) => text.split(REPLACEMENT).length - 1;

const MIN_CHARACTERS = 2;

/** Finds UTF-32 text without a byte-order mark; other data almost never decodes to valid code points only. */
export function findUtf32({ bytes, isComplete }: Head): DecodedText | undefined {
  if (bytes.length < 4 * MIN_CHARACTERS || (isComplete && bytes.length % 4 !== 0)) return undefined;
  for (const encoding of ['utf-32le', 'utf-32be']) {
    const text = createDecoder(encoding).decode(bytes, { stream: true });
    if (countReplaced(text) === 0 && !BINARY.test(text) && !/[\p{Cn}\p{Co}]/u.test(text)) return { text, encoding };
  }
  return undefined;
}

/** Control characters other than line breaks and tabs, surrogates, and unassigned code points. */
const IMPOSSIBLE_IN_TEXT = /[\p{Cn}\p{Co}\p{Cs}]|(?![\t\n\f\r])\p{Cc}/u;
/** Characters common to text in all languages: spaces, line breaks, digits, and punctuation. */
const COMMON = /[\t\n\r\u0020-\u0040\u3000-\u3002\uff01-\uff20]/gu;
const LATIN = /[\u0041-\u024f]/gu;
/** Matches text in one of these scripts, but hardly ever other data, or text in the wrong byte order. */
const SINGLE_SCRIPT =
  /^(?:[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{P}\s]+|[\p{sc=Hang}\p{P}\s]+|[\p{sc=Thai}\p{P}\s]+|[\p{sc=Deva}\p{P}\s]+|[\p{sc=Arab}\p{P}\s]+|[\p{sc=Hebr}\p{P}\s]+|[\p{sc=Cyrl}\p{P}\s]+|[\p{sc=Grek}\p{P}\s]+)$/u;
const MIN_SINGLE_SCRIPT_LENGTH = 8;
const MIN_BYTES = 8;
const MIN_COMMON_RATIO = 0.02;
const SAMPLE_CHARACTERS = 16 * 1024;

/**
 * Finds UTF-16 text without a byte-order mark. In the wrong byte order, common characters become rare or impossible
 * ones, so the order with more common characters is the right one.
 */
export function findUtf16({ bytes, isComplete }: Head): DecodedText | undefined {
  if (bytes.length < MIN_BYTES || (isComplete && bytes.length % 2 === 1)) return undefined;
  const candidates = ['utf-16le', 'utf-16be'].flatMap((encoding) => {
    const text = decode(encoding, { bytes, isComplete });
    return text === undefined || IMPOSSIBLE_IN_TEXT.test(text)
      ? []
      : [{ text, encoding, ratio: commonCharacterRatio(text) }];
  });
  const [best] = candidates.toSorted((a, b) => b.ratio - a.ratio);
  return best && best.ratio >= MIN_COMMON_RATIO ? { text: best.text, encoding: best.encoding } : undefined;
}

function commonCharacterRatio(text: string): number {
  const sample = text.slice(0, SAMPLE_CHARACTERS);
  if (isLatinInWrongOrder(sample)) return 0;
  if (sample.length >= MIN_SINGLE_SCRIPT_LENGTH && SINGLE_SCRIPT.test(sample)) return 1;
  return ((sample.match(COMMON)?.length ?? 0) + (sample.match(LATIN)?.length ?? 0)) / sample.length;
}

/** Swapped bytes turn ASCII and Latin-1 into multiples of 256; some letters and digits become Han characters. */
function isLatinInWrongOrder(text: string): boolean {
  for (let index = 0; index < text.length; index++) if (text.charCodeAt(index) % 256 !== 0) return false;
  return true;
}
