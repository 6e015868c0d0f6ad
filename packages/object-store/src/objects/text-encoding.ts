import { TextDecoder } from 'node:util';
import { type DecodedText, decode, type Head } from './decode.ts';
import { LEGACY_ENCODINGS } from './legacy-encodings.ts';
import { findUtf16 } from './utf16-without-bom.ts';

// biome-ignore lint/suspicious/noControlCharactersInRegex: finding them is the purpose
const BINARY = /[\u0000-\u0008\u000e-\u001a\u001c-\u001f\u007f]/;
/** A page or an XML document names its encoding in its first kilobyte (HTML, 13.2.3.2). */
const DECLARED = /<(?:meta[^>]{1,200}?charset|\?xml[^>]{1,100}?encoding)\s*=\s*(?:["']\s*)?([\w-]{2,40})/i;
// biome-ignore lint/suspicious/noControlCharactersInRegex: the escape sequences that select a Japanese character set
const ISO_2022_JP = /\u001b(?:\$[@B]|\([IJ])/;
/** Beyond this share of characters that cannot be decoded, what follows a byte-order mark is no text. */
const MAX_DAMAGE = 0.01;
const SAMPLE_BYTES = 16 * 1024;
/** Of what is frequent in its languages, a text in an encoding has at least so much. */
const MIN_SCORE = 0.5;
/** A letter of another script beside a Latin one, as in a text that was decoded in the wrong encoding. */
const MIXED = /(?<=[A-Za-z])(?!\p{sc=Latin})[\p{L}\p{M}]|(?!\p{sc=Latin})[\p{L}\p{M}](?=[A-Za-z])/gu;
const PLAIN_LETTER = /[A-Za-z]/g;
const MAX_MIXED = 0.2;
const SAMPLE_CHARACTERS = 16 * 1024;

/**
 * Decodes the beginning of a text: by its byte-order mark ("BOM sniff" of the Encoding Standard), as UTF-8, as UTF-16 without a mark, or in
 * a legacy encoding that browsers know. Undefined for what is no text or whose encoding cannot be told.
 */
export function decodeHead(head: Head): DecodedText | undefined {
  return decodeUnicode(head) ?? decodeLegacy(head) ?? findUtf16(head);
}

/** The same for Unicode with a mark, and UTF-8. */
export function decodeUnicode({ bytes, whole }: Head): DecodedText | undefined {
  const marked = byMark(bytes);
  if (marked) return marked;
  const text = decode('utf-8', { bytes, whole });
  if (text === undefined || BINARY.test(text)) return undefined;
  if (!ISO_2022_JP.test(text)) return { text, encoding: 'utf-8' };
  const japanese = decode('iso-2022-jp', { bytes, whole });
  return japanese === undefined ? { text, encoding: 'utf-8' } : { text: japanese, encoding: 'iso-2022-jp' };
}

function byMark(bytes: Buffer): DecodedText | undefined {
  const encoding = encodingOfMark(bytes);
  if (encoding === undefined) return undefined;
  const text = new TextDecoder(encoding).decode(bytes, { stream: true });
  const damaged = text.split('\ufffd').length - 1;
  return BINARY.test(text) || damaged > text.length * MAX_DAMAGE ? undefined : { text, encoding };
}

function encodingOfMark(bytes: Buffer): string | undefined {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return 'utf-8';
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be';
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  return undefined;
}

function decodeLegacy(head: Head): DecodedText | undefined {
  const raw = head.bytes.toString('latin1');
  if (BINARY.test(raw)) return undefined;
  const [, declared] = DECLARED.exec(raw.slice(0, 1024)) ?? [];
  const name = declared !== undefined && decode(declared, head) !== undefined ? declared : guess(head);
  const text = name === undefined ? undefined : decode(name, head);
  if (name === undefined || text === undefined || !isPlausible(text)) return undefined;
  return { text, encoding: new TextDecoder(name).encoding };
}

/** The encoding in which most of what is not ASCII is frequent in a language that the encoding is used for. */
function guess({ bytes, whole }: Head): string | undefined {
  const start = Math.max(0, bytes.findIndex((byte) => byte > 0x7f) - 1);
  const sample = {
    bytes: bytes.subarray(start, start + SAMPLE_BYTES),
    whole: whole && bytes.length <= start + SAMPLE_BYTES,
  };
  const scores = LEGACY_ENCODINGS.map(({ name, frequent, share, isLatin }) => {
    const text = decode(name, sample) ?? '';
    const foreign = text.match(NOT_ASCII)?.length ?? 0;
    const mixed = text.match(MIXED)?.length ?? 0;
    // Words of Latin scripts have more plain letters than others.
    const isOdd = isLatin ? (text.match(PLAIN_LETTER)?.length ?? 0) < foreign : mixed > foreign * MAX_MIXED;
    if (foreign === 0 || isOdd) return { name, score: 0 };
    return { name, score: Math.min(1, countOf(frequent, text) / foreign / share) };
  });
  const best = scores.reduce((one, other) => (other.score > one.score ? other : one));
  return best.score >= MIN_SCORE ? best.name : undefined;
}

const countOf = (characters: ReadonlySet<string>, text: string): number =>
  [...text].filter((character) => characters.has(character)).length;

const NOT_ASCII = /[^\0-\x7f]/gu;
const FOREIGN = /[\u0080-\u009f\p{Cn}\p{Co}]/u;
/** Letters beside letters, and the punctuation of prose. */
const USUAL =
  /(?<=\p{L}|\p{M})[^\0-\x7f]|[^\0-\x7f](?=\p{L}|\p{M})|[\p{Pi}\p{Pf}\p{Pd}\u3000-\u30ff\uff00-\uffef…•€£¥§©®™°·¡¿½¼¾²³\u00a0]/gu;
const MIN_USUAL = 0.8;

/** Whether what is not ASCII stands as in a text: chance puts most of it beside what is no letter. */
function isPlausible(text: string): boolean {
  if (FOREIGN.test(text)) return false;
  const start = Math.max(0, text.search(/[^\0-\x7f]/) - 1);
  const sample = text.slice(start, start + SAMPLE_CHARACTERS);
  const foreign = sample.match(NOT_ASCII)?.length ?? 0;
  return (sample.match(USUAL)?.length ?? 0) >= foreign * MIN_USUAL;
}
