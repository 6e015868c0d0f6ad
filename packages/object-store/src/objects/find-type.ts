import { fileTypeFromBuffer } from 'file-type';
import { decodeHead } from './text-encoding.ts';
import { type DecodedText, type Head, hasByteOrderMark } from './unicode.ts';

const UNKNOWN = 'application/octet-stream';

const TEXT_BASED = /^(?:text\/.+|application\/(?:pdf|postscript|eps|rtf|xml|xhtml\+xml))$/;

/**
 * Detects the type from the content alone; a client's claim is never trusted. Text is detected as text, even if it
 * begins with the signature of a binary format.
 */
export async function findType(head: Head): Promise<string> {
  const detected = (await fileTypeFromBuffer(head.bytes).catch(() => undefined))?.mime;
  const decoded = await decodeHead(head);
  // The second byte of a UTF-16 byte-order mark also appears in MPEG frame headers.
  if (!decoded) return detected === undefined || hasByteOrderMark(head.bytes) ? UNKNOWN : detected;
  // UTF-16 without a byte-order mark contains bytes that other texts do not: the signature of a binary format takes
  // precedence.
  if (detected !== undefined && hasNoByteOrderMark(decoded, head)) return detected;
  if (detected !== undefined && TEXT_BASED.test(detected) && hasFullSignature(detected, decoded.text))
    return detected.startsWith('text/') ? withCharset(detected, decoded) : detected;
  return detectTextType(decoded, head.isComplete);
}

/** The detector compares only the beginning of these signatures (MIME Sniffing Standard, 7.1; RTF 1.9.1). */
const FULL_SIGNATURES = new Map([
  ['application/pdf', /^%PDF-/],
  ['application/postscript', /^%!PS-Adobe-/],
  ['application/eps', /^%!PS-Adobe-/],
  ['application/rtf', /^\{\\rtf\d/],
]);

const hasFullSignature = (type: string, text: string) => FULL_SIGNATURES.get(type)?.test(text) ?? true;

const hasNoByteOrderMark = ({ encoding }: DecodedText, { bytes }: Head) =>
  /^utf-(?:16|32)/.test(encoding) && !hasByteOrderMark(bytes);

const withCharset = (type: string, { encoding }: DecodedText) => `${type}; charset=${encoding}`;

function detectTextType(decoded: DecodedText, isComplete: boolean): string {
  // JSON is UTF-8 (RFC 8259, 8.1) and has no charset parameter.
  if (decoded.encoding === 'utf-8' && isJson(decoded.text, isComplete)) return 'application/json';
  return withCharset(isCsv(decoded.text, isComplete) ? 'text/csv' : 'text/plain', decoded);
}

/** A complete document must parse; a truncated one must begin like an object or array. */
function isJson(text: string, isComplete: boolean): boolean {
  const start = text.trimStart();
  if (!isComplete) return /^(\{\s*"(?:[^"\\]|\\.)*"\s*:|\[\s*[{["])/.test(start);
  if (!/^[{[]/.test(start)) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

const SEPARATORS = [',', ';', '\t'];

function isCsv(text: string, isComplete: boolean): boolean {
  const lines = text.split(/\r?\n/).slice(0, 50);
  // The last line may be truncated, or empty after the last line break.
  if (!isComplete || lines.at(-1) === '') lines.pop();
  const nonEmptyLines = lines.filter((line) => line !== '');
  if (nonEmptyLines.length < 2) return false;
  return SEPARATORS.some((separator) => {
    const counts = new Set(nonEmptyLines.map((line) => line.replace(/"(?:[^"]|"")*"/g, '').split(separator).length));
    return counts.size === 1 && !counts.has(1);
  });
}
