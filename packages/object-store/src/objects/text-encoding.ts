import { isAscii } from 'node:buffer';
import { TextDecoder } from 'node:util';
import { type DecodedText, decode, type Head } from './decode.ts';
import { guessLegacyEncodings, LATIN } from './legacy-encodings.ts';
import { isPlausible, isWestern } from './plausible-text.ts';
import { BINARY, decodeUnicode, findUtf32 } from './unicode.ts';
import { findUtf16 } from './utf16-without-bom.ts';

/** A page or an XML document names its encoding in its first kilobyte (HTML, 13.2.3.2). */
const DECLARED = /<(?:meta[^>]{1,200}?charset|\?xml[^>]{1,100}?encoding)\s*=\s*(?:["']\s*)?([\w-]{2,40})/i;
const WESTERN = 'windows-1252';
const LATIN_9 = 'iso-8859-15';
/** What à, å, and ¿ of windows-1252 are in windows-1250: rare letters, and one before a capital, where no word has it. */
const UNLIKELY = /[ŕĺŔĹ]|(?<!\p{L})ż\p{Lu}/u;

/**
 * Decodes the beginning of a text: by its byte-order mark, as UTF-8, in a legacy encoding that browsers know, or as UTF-16 or UTF-32 without
 * a mark. Undefined for what is no text or whose encoding cannot be told. A beginning in ASCII takes the encoding of what follows it.
 */
export async function decodeHead(head: Head): Promise<DecodedText | undefined> {
  const unicode = decodeUnicode(head);
  if (unicode?.encoding !== 'utf-8' || !head.later || !isAscii(head.bytes))
    return unicode ?? (await decodeLegacy(head)) ?? findUtf16(head) ?? findUtf32(head);
  const later = { bytes: head.later, whole: false };
  const following = decodeUnicode(later) ?? (await decodeLegacy(later));
  return following ? { text: unicode.text, encoding: following.encoding } : unicode;
}

async function decodeLegacy(head: Head): Promise<DecodedText | undefined> {
  const raw = head.bytes.toString('latin1');
  if (BINARY.test(raw)) return undefined;
  const [, declared] = DECLARED.exec(raw.slice(0, 1024)) ?? [];
  const text = declared === undefined ? undefined : decodePlausible(declared, head);
  if (text) return text;
  const isUtf8 = isLikeUtf8(raw);
  for (const name of await guessLegacyEncodings(head.bytes)) {
    const guessed = isUtf8 && LATIN.includes(name) ? undefined : decodePlausible(name, head);
    if (guessed) return (UNLIKELY.test(guessed.text) ? decodeWestern(head) : undefined) ?? guessed;
  }
  return isUtf8 ? undefined : decodeWestern(head);
}

function decodePlausible(name: string, head: Head): DecodedText | undefined {
  // Also of a whole file the last character may be cut.
  const text = decode(name, { ...head, whole: false });
  if (text === undefined || !isPlausible(text)) return undefined;
  // The detector takes any one of several encodings that have the same letters in the same places.
  const encoding = decode(WESTERN, head) === text ? WESTERN : new TextDecoder(name).encoding;
  return encoding === WESTERN ? withEuro({ text, encoding }, head) : { text, encoding };
}

/** A currency sign beside a number is the euro sign of ISO-8859-15. */
const EURO = /\d[ \u00a0]?¤|¤[ \u00a0]?\d/;

function withEuro(decoded: DecodedText, head: Head): DecodedText {
  const text = EURO.test(decoded.text) ? decode(LATIN_9, head) : undefined;
  return text === undefined ? decoded : { text, encoding: LATIN_9 };
}

const UTF8_SEQUENCES = /[\u00c2-\u00df][\u0080-\u00bf]|[\u00e0-\u00ef][\u0080-\u00bf]{2}/g;

/** Whether half of the bytes that are not ASCII form sequences of UTF-8, as they never do in a language in Latin script. */
function isLikeUtf8(raw: string): boolean {
  const inSequences = (raw.match(UTF8_SEQUENCES) ?? []).join('').length;
  return inSequences > 0 && inSequences * 2 >= (raw.match(/[\u0080-\u00ff]/g)?.length ?? 0);
}

function decodeWestern(head: Head): DecodedText | undefined {
  const text = decode(WESTERN, head);
  return text === undefined || !isWestern(text) ? undefined : { text, encoding: WESTERN };
}
