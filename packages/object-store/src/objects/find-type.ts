import { fileTypeFromBuffer } from 'file-type';
import type { DecodedText, Head } from './decode.ts';
import { decodeHead } from './text-encoding.ts';
import { hasByteOrderMark } from './unicode.ts';

const UNKNOWN = 'application/octet-stream';

/** Formats that are made of text, and nothing but their beginning tells from it (MIME Sniffing Standard, 7.1). */
const MADE_OF_TEXT = /^(?:text\/.+|application\/(?:pdf|postscript|eps|rtf|xml|xhtml\+xml))$/;

/**
 * Finds the media type from the bytes alone: what a client says about its file is never believed (decisions, section 6). Bytes that are text
 * are text, whatever signature of a few letters they begin with.
 */
export async function findType(head: Head): Promise<string> {
  const known = (await fileTypeFromBuffer(head.bytes).catch(() => undefined))?.mime;
  const decoded = await decodeHead(head);
  // The second byte of a mark of UTF-16 is that of an MPEG frame's header, too.
  if (!decoded) return known === undefined || hasByteOrderMark(head.bytes) ? UNKNOWN : known;
  // UTF-16 without a mark is full of bytes that no other text has: a signature of a binary format is believed before it.
  if (known !== undefined && isWithoutMark(decoded, head)) return known;
  if (known !== undefined && MADE_OF_TEXT.test(known) && hasWholeSignature(known, decoded.text))
    return known.startsWith('text/') ? withCharset(known, decoded) : known;
  return typeOfText(decoded, head.whole);
}

/** Signatures that are longer than what the detector asks for (MIME Sniffing Standard, 7.1; RTF 1.9.1). */
const WHOLE_SIGNATURES = new Map([
  ['application/pdf', /^%PDF-/],
  ['application/postscript', /^%!PS-Adobe-/],
  ['application/eps', /^%!PS-Adobe-/],
  ['application/rtf', /^\{\\rtf\d/],
]);

const hasWholeSignature = (type: string, text: string) => WHOLE_SIGNATURES.get(type)?.test(text) ?? true;

const isWithoutMark = ({ encoding }: DecodedText, { bytes }: Head) =>
  /^utf-(?:16|32)/.test(encoding) && !hasByteOrderMark(bytes);

const withCharset = (type: string, { encoding }: DecodedText) => `${type}; charset=${encoding}`;

function typeOfText(decoded: DecodedText, whole: boolean): string {
  // JSON is UTF-8 (RFC 8259, 8.1) and has no parameter that says otherwise.
  if (decoded.encoding === 'utf-8' && isJson(decoded.text, whole)) return 'application/json';
  return withCharset(isCsv(decoded.text, whole) ? 'text/csv' : 'text/plain', decoded);
}

/** Only what really parses counts, so a long document is JSON only if it begins like an object or array of it. */
function isJson(text: string, whole: boolean): boolean {
  const start = text.trimStart();
  if (!whole) return /^(\{\s*"(?:[^"\\]|\\.)*"\s*:|\[\s*[{["])/.test(start);
  if (!/^[{[]/.test(start)) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

const SEPARATORS = [',', ';', '\t'];

/** At least two lines, each with the same number of the same separator outside quotes. */
function isCsv(text: string, whole: boolean): boolean {
  const lines = text.split(/\r?\n/).slice(0, 50);
  // The last line may be cut, or what follows the last line break.
  if (!whole || lines.at(-1) === '') lines.pop();
  const filled = lines.filter((line) => line !== '');
  if (filled.length < 2) return false;
  return SEPARATORS.some((separator) => {
    const counts = new Set(filled.map((line) => line.replace(/"(?:[^"]|"")*"/g, '').split(separator).length));
    return counts.size === 1 && !counts.has(1);
  });
}
