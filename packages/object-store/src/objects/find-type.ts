import { fileTypeFromBuffer } from 'file-type';
import { decodeHead } from './text-encoding.ts';
import { type DecodedText, type Head, hasByteOrderMark } from './unicode.ts';

const UNKNOWN = 'application/octet-stream';

const MADE_OF_TEXT = /^(?:text\/.+|application\/(?:pdf|postscript|eps|rtf|xml|xhtml\+xml))$/;

/**
 * From the content alone; a client's claim is never trusted. Text is text, even if it begins with the signature
 * of another format.
 */
export async function findType(head: Head): Promise<string> {
  const known = (await fileTypeFromBuffer(head.bytes).catch(() => undefined))?.mime;
  const decoded = await decodeHead(head);
  // The second byte of a UTF-16 byte-order mark also appears in MPEG frame headers.
  if (!decoded) return known === undefined || hasByteOrderMark(head.bytes) ? UNKNOWN : known;
  // UTF-16 without a byte-order mark contains bytes that other texts do not: the signature of a binary format takes
  // precedence.
  if (known !== undefined && isWithoutMark(decoded, head)) return known;
  if (known !== undefined && MADE_OF_TEXT.test(known) && hasWholeSignature(known, decoded.text))
    return known.startsWith('text/') ? withCharset(known, decoded) : known;
  return typeOfText(decoded, head.whole);
}

/** Signatures longer than the detector compares (MIME Sniffing Standard, 7.1; RTF 1.9.1). */
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
  // JSON is UTF-8 (RFC 8259, 8.1) and has no charset parameter.
  if (decoded.encoding === 'utf-8' && isJson(decoded.text, whole)) return 'application/json';
  return withCharset(isCsv(decoded.text, whole) ? 'text/csv' : 'text/plain', decoded);
}

/** A whole document must parse; a longer one must begin like an object or array. */
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

function isCsv(text: string, whole: boolean): boolean {
  const lines = text.split(/\r?\n/).slice(0, 50);
  // The last line may be truncated, or empty after the last line break.
  if (!whole || lines.at(-1) === '') lines.pop();
  const filled = lines.filter((line) => line !== '');
  if (filled.length < 2) return false;
  return SEPARATORS.some((separator) => {
    const counts = new Set(filled.map((line) => line.replace(/"(?:[^"]|"")*"/g, '').split(separator).length));
    return counts.size === 1 && !counts.has(1);
  });
}
