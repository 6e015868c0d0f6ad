import { isAscii } from 'node:buffer';
import { TextDecoder } from 'node:util';
import { guessLegacyEncodings, isPlausible, isWestern, LATIN } from './legacy-encodings.ts';
import { BINARY, type DecodedText, decode, decodeUnicode, findUtf16, findUtf32, type Head } from './unicode.ts';

/** HTML and XML declare their encoding in the first kilobyte (HTML, 13.2.3.2). */
const DECLARATION = /<(?:meta[^>]{1,200}?charset|\?xml[^>]{1,100}?encoding)\s*=\s*(?:["']\s*)?([\w-]{2,40})/i;
const WESTERN = 'windows-1252';
const LATIN_9 = 'iso-8859-15';
/**
 * Matches the results of decoding à, å, and ¿ of windows-1252 as windows-1250: rare letters, and one that cannot
 * precede a capital.
 */
const UNLIKELY = /[ŕĺŔĹ]|(?<!\p{L})ż\p{Lu}/u;

/**
 * Decodes by the byte-order mark, as UTF-8, in a legacy encoding that browsers support, or as UTF-16 or UTF-32 without
 * a byte-order mark. Returns undefined for binary data and unknown encodings. If the head is all ASCII, the first
 * non-ASCII bytes after it determine the encoding.
 */
export async function decodeHead(head: Head): Promise<DecodedText | undefined> {
  const unicode = decodeUnicode(head);
  if (unicode?.encoding !== 'utf-8' || !head.firstNonAscii || !isAscii(head.bytes))
    return unicode ?? (await decodeLegacy(head)) ?? findUtf16(head) ?? findUtf32(head);
  const sample = { bytes: head.firstNonAscii, isComplete: false };
  const decodedSample = decodeUnicode(sample) ?? (await decodeLegacy(sample));
  return decodedSample ? { text: unicode.text, encoding: decodedSample.encoding } : unicode;
}

async function decodeLegacy(head: Head): Promise<DecodedText | undefined> {
  const raw = head.bytes.toString('latin1');
  if (BINARY.test(raw)) return undefined;
  const [, declared] = DECLARATION.exec(raw.slice(0, 1024)) ?? [];
  const text = declared === undefined ? undefined : decodePlausible(declared, head);
  if (text) return text;
  const isUtf8 = isLikeUtf8(raw);
  for (const name of await guessLegacyEncodings(head.bytes)) {
    const decoded = isUtf8 && LATIN.includes(name) ? undefined : decodePlausible(name, head);
    if (decoded) return (UNLIKELY.test(decoded.text) ? decodeWestern(head) : undefined) ?? decoded;
  }
  return isUtf8 ? undefined : decodeWestern(head);
}

function decodePlausible(name: string, head: Head): DecodedText | undefined {
  // Even the last character of a complete file may be truncated.
  const text = decode(name, { ...head, isComplete: false });
  if (text === undefined || !isPlausible(text)) return undefined;
  // Several encodings have the same letters in the same places, and the detector returns any of them.
  const encoding = decode(WESTERN, head) === text ? WESTERN : new TextDecoder(name).encoding;
  return encoding === WESTERN ? withEuro({ text, encoding }, head) : { text, encoding };
}

/** Matches a currency sign next to a number, which is the euro sign of ISO-8859-15. */
const EURO = /\d[ \u00a0]?¤|¤[ \u00a0]?\d/;

function withEuro(decoded: DecodedText, head: Head): DecodedText {
  const text = EURO.test(decoded.text) ? decode(LATIN_9, head) : undefined;
  return text === undefined ? decoded : { text, encoding: LATIN_9 };
}

const UTF8_SEQUENCES = /[\u00c2-\u00df][\u0080-\u00bf]|[\u00e0-\u00ef][\u0080-\u00bf]{2}/g;

/** Whether half of the non-ASCII bytes form UTF-8 sequences, which never happens in Latin-script encodings. */
function isLikeUtf8(raw: string): boolean {
  const inSequences = (raw.match(UTF8_SEQUENCES) ?? []).join('').length;
  return inSequences > 0 && inSequences * 2 >= (raw.match(/[\u0080-\u00ff]/g)?.length ?? 0);
}

function decodeWestern(head: Head): DecodedText | undefined {
  const text = decode(WESTERN, head);
  return text === undefined || !isWestern(text) ? undefined : { text, encoding: WESTERN };
}
