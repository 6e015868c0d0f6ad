import { TextDecoder } from 'node:util';
import { createDecoder } from '@atrium/proto-events/text/decoder';

export type Head = {
  bytes: Buffer;
  whole: boolean;
  /** If `bytes` are all ASCII: the first later bytes that are not, with some context before them. */
  later?: Buffer | undefined;
};

export type DecodedText = { text: string; encoding: string };

/** Undefined for invalid bytes and unknown names. */
export function decode(name: string, { bytes, whole }: Head): string | undefined {
  try {
    return new TextDecoder(name, { fatal: true }).decode(bytes, { stream: !whole });
  } catch {
    return undefined;
  }
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: finding them is the purpose
export const BINARY = /[\u0000-\u0008\u000e-\u001a\u001c-\u001f\u007f]/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: the escape sequences that select a Japanese character set
const ISO_2022_JP = /\u001b(?:\$[@B]|\([IJ])/;
/** Maximum share of undecodable characters in a text with a byte-order mark. A single one is always allowed. */
const MAX_DAMAGE = 0.01;
const REPLACEMENT = '\ufffd';

/** Longer marks first: that of little-endian UTF-32 begins with that of UTF-16. */
const MARKS = [
  ['utf-32le', [0xff, 0xfe, 0, 0]],
  ['utf-32be', [0, 0, 0xfe, 0xff]],
  ['utf-8', [0xef, 0xbb, 0xbf]],
  ['utf-16be', [0xfe, 0xff]],
  ['utf-16le', [0xff, 0xfe]],
] as const;

export const hasByteOrderMark = (bytes: Buffer): boolean => marksOf(bytes).length > 0;

const marksOf = (bytes: Buffer) => MARKS.filter(([, mark]) => mark.every((byte, at) => bytes[at] === byte));

/** Decodes Unicode with a byte-order mark ("BOM sniff" of the Encoding Standard), and UTF-8. */
export function decodeUnicode(head: Head): DecodedText | undefined {
  const marked = byMark(head);
  if (marked) return marked;
  const text = decode('utf-8', head);
  if (text === undefined) return decodeDamagedUtf8(head);
  if (BINARY.test(text)) return undefined;
  if (!ISO_2022_JP.test(text)) return { text, encoding: 'utf-8' };
  const japanese = decode('iso-2022-jp', head);
  return japanese === undefined ? { text, encoding: 'utf-8' } : { text: japanese, encoding: 'iso-2022-jp' };
}

function byMark({ bytes }: Head): DecodedText | undefined {
  for (const [encoding] of marksOf(bytes)) {
    const text = createDecoder(encoding).decode(bytes, { stream: true });
    const isDamaged = countReplaced(text) > Math.max(1, text.length * MAX_DAMAGE);
    if (!BINARY.test(text) && !isDamaged) return { text, encoding };
  }
  return undefined;
}

/**
 * UTF-8 with some damage, as in a truncated log. Only in UTF-8 do two thirds of the non-ASCII bytes form UTF-8
 * sequences; in legacy Asian encodings at most half do.
 */
function decodeDamagedUtf8({ bytes, whole }: Head): DecodedText | undefined {
  const text = createDecoder('utf-8').decode(bytes, { stream: !whole });
  const damage = countReplaced(text);
  const valid = (text.match(/[^\0-\x7f]/gu)?.length ?? 0) - damage;
  return valid >= 2 && valid >= 2 * damage && !BINARY.test(text) ? { text, encoding: 'utf-8' } : undefined;
}

const countReplaced = (text: string) => text.split(REPLACEMENT).length - 1;

const MIN_CHARACTERS = 2;

/** UTF-32 text without a byte-order mark: other data is hardly ever valid code points throughout. */
export function findUtf32({ bytes, whole }: Head): DecodedText | undefined {
  if (bytes.length < 4 * MIN_CHARACTERS || (whole && bytes.length % 4 !== 0)) return undefined;
  for (const encoding of ['utf-32le', 'utf-32be']) {
    const text = createDecoder(encoding).decode(bytes, { stream: true });
    if (countReplaced(text) === 0 && !BINARY.test(text) && !/[\p{Cn}\p{Co}]/u.test(text)) return { text, encoding };
  }
  return undefined;
}

/** Never in a text: controls other than line breaks and tabs, surrogates, and unassigned code points. */
const NEVER = /[\p{Cn}\p{Co}\p{Cs}]|(?![\t\n\f\r])\p{Cc}/u;
/** Characters common to texts of all languages: spaces, line breaks, digits, and punctuation. */
const SHARED = /[\t\n\r\u0020-\u0040\u3000-\u3002\uff01-\uff20]/gu;
const LATIN = /[\u0041-\u024f]/gu;
/** Nearly all characters of a text in one of these scripts; hardly any in other data, or in the wrong byte order. */
const ONE_SCRIPT =
  /^(?:[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{P}\s]+|[\p{sc=Hang}\p{P}\s]+|[\p{sc=Thai}\p{P}\s]+|[\p{sc=Deva}\p{P}\s]+|[\p{sc=Arab}\p{P}\s]+|[\p{sc=Hebr}\p{P}\s]+|[\p{sc=Cyrl}\p{P}\s]+|[\p{sc=Grek}\p{P}\s]+)$/u;
const MIN_OF_ONE_SCRIPT = 8;
const MIN_BYTES = 8;
const MIN_SHARED = 0.02;
const SAMPLE_CHARACTERS = 16 * 1024;

/**
 * UTF-16 text without a byte-order mark. In the wrong byte order, and in other data, ordinary characters become rare
 * or impossible ones: the order with more of the common characters is the right one.
 */
export function findUtf16({ bytes, whole }: Head): DecodedText | undefined {
  if (bytes.length < MIN_BYTES || (whole && bytes.length % 2 === 1)) return undefined;
  const candidates = ['utf-16le', 'utf-16be'].flatMap((encoding) => {
    const text = decode(encoding, { bytes, whole });
    return text === undefined || NEVER.test(text) ? [] : [{ text, encoding, share: shareOfUsual(text) }];
  });
  const [best] = candidates.toSorted((a, b) => b.share - a.share);
  return best && best.share >= MIN_SHARED ? { text: best.text, encoding: best.encoding } : undefined;
}

function shareOfUsual(text: string): number {
  const sample = text.slice(0, SAMPLE_CHARACTERS);
  if (isLatinInWrongOrder(sample)) return 0;
  if (sample.length >= MIN_OF_ONE_SCRIPT && ONE_SCRIPT.test(sample)) return 1;
  return ((sample.match(SHARED)?.length ?? 0) + (sample.match(LATIN)?.length ?? 0)) / sample.length;
}

/** With swapped bytes, ASCII and Latin-1 are multiples of 256; some letters and digits are all Han. */
function isLatinInWrongOrder(text: string): boolean {
  for (let at = 0; at < text.length; at++) if (text.charCodeAt(at) % 256 !== 0) return false;
  return true;
}
