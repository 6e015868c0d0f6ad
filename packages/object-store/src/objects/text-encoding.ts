import { TextDecoder } from 'node:util';
import { analyse } from 'chardet';
import { findUtf16 } from './utf16-without-bom.ts';

/** The first bytes of a file, and whether they are all of it. */
export type Head = { bytes: Buffer; whole: boolean };

/** A text and the encoding that it is in, by its name in the Encoding Standard. */
export type DecodedText = { text: string; encoding: string };

// biome-ignore lint/suspicious/noControlCharactersInRegex: finding them is the purpose
const BINARY = /[\u0000-\u0008\u000e-\u001a\u001c-\u001f\u007f]/;
/** A page or an XML document names its encoding in its first kilobyte (HTML, 13.2.3.2). */
const DECLARED = /<(?:meta[^>]{1,200}?charset|\?xml[^>]{1,100}?encoding)\s*=\s*(?:["']\s*)?([\w-]{2,40})/i;
// biome-ignore lint/suspicious/noControlCharactersInRegex: the escape sequences that select a Japanese character set
const ISO_2022_JP = /\u001b(?:\$[@B]|\([IJ])/;
/** Beyond this share of characters that cannot be decoded, what follows a byte-order mark is no text. */
const MAX_DAMAGE = 0.01;
const SAMPLE_BYTES = 16 * 1024;

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
  const { bytes } = head;
  const raw = bytes.toString('latin1');
  if (BINARY.test(raw)) return undefined;
  const [, declared] = DECLARED.exec(raw.slice(0, 1024)) ?? [];
  const names = [...(declared === undefined ? [] : [declared]), ...guess(bytes)];
  for (const name of names) {
    const text = decode(name, head);
    if (text !== undefined && isPlausible(text)) return { text, encoding: new TextDecoder(name).encoding };
  }
  return undefined;
}

/** By what is frequent in the languages that each encoding is used for, the likeliest first; from the first byte that is not ASCII on. */
function guess(bytes: Buffer): string[] {
  const first = bytes.findIndex((byte) => byte > 0x7f);
  const start = Math.max(0, first - 1024);
  return analyse(bytes.subarray(start, start + SAMPLE_BYTES)).map(({ name }) => name);
}

/** Throws nothing: undefined for what the encoding does not have, and for a name that browsers do not know. */
function decode(name: string, { bytes, whole }: Head): string | undefined {
  try {
    return new TextDecoder(name, { fatal: true }).decode(bytes, { stream: !whole });
  } catch {
    return undefined;
  }
}

const NOT_ASCII = /[^\0-\x7f]/gu;
const FOREIGN = /[\u0080-\u009f\p{Cn}\p{Co}]/u;
/** Letters beside letters, and the punctuation of prose. */
const USUAL =
  /(?<=\p{L}|\p{M})[^\0-\x7f]|[^\0-\x7f](?=\p{L}|\p{M})|[\p{Pi}\p{Pf}\p{Pd}\u3000-\u30ff\uff00-\uffef…•€£¥§©®™°·¡¿½¼¾²³\u00a0]/gu;
const MIN_USUAL = 0.8;

/** Whether what is not ASCII stands as in a text: chance puts most of it beside what is no letter. */
function isPlausible(text: string): boolean {
  if (FOREIGN.test(text)) return false;
  const foreign = text.match(NOT_ASCII)?.length ?? 0;
  return (text.match(USUAL)?.length ?? 0) >= foreign * MIN_USUAL;
}
