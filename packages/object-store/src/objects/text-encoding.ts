import { TextDecoder } from 'node:util';
import { type DecodedText, decode, type Head } from './decode.ts';
import { guessLegacyEncodings } from './legacy-encodings.ts';
import { findUtf16 } from './utf16-without-bom.ts';

// biome-ignore lint/suspicious/noControlCharactersInRegex: finding them is the purpose
const BINARY = /[\u0000-\u0008\u000e-\u001a\u001c-\u001f\u007f]/;
/** A page or an XML document names its encoding in its first kilobyte (HTML, 13.2.3.2). */
const DECLARED = /<(?:meta[^>]{1,200}?charset|\?xml[^>]{1,100}?encoding)\s*=\s*(?:["']\s*)?([\w-]{2,40})/i;
// biome-ignore lint/suspicious/noControlCharactersInRegex: the escape sequences that select a Japanese character set
const ISO_2022_JP = /\u001b(?:\$[@B]|\([IJ])/;
/** Beyond this share of characters that cannot be decoded, what follows a byte-order mark is no text. */
const MAX_DAMAGE = 0.01;
/** A letter of another script beside a Latin one, as in a text that was decoded in the wrong encoding. */
const MIXED =
  /(?<=[A-Za-z])(?![\p{sc=Latin}\p{sc=Inherited}])[\p{L}\p{M}]|(?![\p{sc=Latin}\p{sc=Inherited}])[\p{L}\p{M}](?=[A-Za-z])/gu;
const MAX_MIXED = 0.2;
const SAMPLE_CHARACTERS = 16 * 1024;

/**
 * Decodes the beginning of a text: by its byte-order mark ("BOM sniff" of the Encoding Standard), as UTF-8, as UTF-16 without a mark, or in
 * a legacy encoding that browsers know. Undefined for what is no text or whose encoding cannot be told.
 */
export async function decodeHead(head: Head): Promise<DecodedText | undefined> {
  return decodeUnicode(head) ?? (await decodeLegacy(head)) ?? findUtf16(head);
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

async function decodeLegacy(head: Head): Promise<DecodedText | undefined> {
  const raw = head.bytes.toString('latin1');
  if (BINARY.test(raw)) return undefined;
  const [, declared] = DECLARED.exec(raw.slice(0, 1024)) ?? [];
  const text = declared === undefined ? undefined : decodePlausible(declared, head);
  if (text) return text;
  for (const name of await guessLegacyEncodings(head.bytes)) {
    const guessed = decodePlausible(name, head);
    if (guessed) return guessed;
  }
  return undefined;
}

function decodePlausible(name: string, head: Head): DecodedText | undefined {
  const text = decode(name, head);
  return text === undefined || !isPlausible(text) ? undefined : { text, encoding: new TextDecoder(name).encoding };
}

const NOT_ASCII = /[^\0-\x7f]/gu;
const FOREIGN = /[\u0080-\u009f\p{Cn}\p{Co}]/u;
/** Letters beside letters, and the punctuation of prose. */
const USUAL =
  /(?<=\p{L}|\p{M})[^\0-\x7f]|[^\0-\x7f](?=\p{L}|\p{M})|[\p{Pi}\p{Pf}\p{Pd}\u3000-\u30ff\uff00-\uffef…•€£¥§©®™°·¡¿½¼¾²³\u00a0]/gu;
const MIN_USUAL = 0.6;

/** Whether what is not ASCII is placed as in a text: by chance most of it is next to no letter, or next to one of another script. */
function isPlausible(text: string): boolean {
  if (FOREIGN.test(text)) return false;
  const start = Math.max(0, text.search(/[^\0-\x7f]/) - 1);
  const sample = text.slice(start, start + SAMPLE_CHARACTERS);
  const foreign = sample.match(NOT_ASCII)?.length ?? 0;
  const mixed = sample.match(MIXED)?.length ?? 0;
  return (sample.match(USUAL)?.length ?? 0) >= foreign * MIN_USUAL && mixed <= foreign * MAX_MIXED;
}
