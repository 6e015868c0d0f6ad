import { createDecoder } from '@atrium/proto-events/text/decoder';
import { type DecodedText, decode, type Head } from './decode.ts';

// biome-ignore lint/suspicious/noControlCharactersInRegex: finding them is the purpose
export const BINARY = /[\u0000-\u0008\u000e-\u001a\u001c-\u001f\u007f]/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: the escape sequences that select a Japanese character set
export const ISO_2022_JP = /\u001b(?:\$[@B]|\([IJ])/;
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
