import type { Option } from '#ui/fields/option.tsx';

const MAX_BYTES = 1_000_000;

export class UnreadableFile extends Error {}

/** `legacy` are the bytes of a non-Unicode file, which may be decoded again in a different encoding. */
export type FileText = { text: string; legacy?: Uint8Array };

export async function readTextFile(file: File): Promise<FileText> {
  if (file.size > MAX_BYTES) throw new UnreadableFile('This file is too large. Choose a list of up to 1 MB.');
  const bytes = new Uint8Array(await file.arrayBuffer());
  const fileText = decodeText(bytes);
  if (fileText.text.includes('\0'))
    throw new UnreadableFile('This is not a text file. Save the spreadsheet as CSV first.');
  return fileText;
}

function decodeText(bytes: Uint8Array): FileText {
  const encoding = detectUtf16(bytes);
  if (encoding) return { text: new TextDecoder(encoding).decode(bytes) };
  try {
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(bytes) };
  } catch {
    return { text: decodeLegacy(bytes, ASSUMED_ENCODING), legacy: bytes };
  }
}

/** Detects UTF-16 by the byte order mark, otherwise by the zero byte of a first ASCII character. */
function detectUtf16([first, second]: Uint8Array): 'utf-16le' | 'utf-16be' | undefined {
  if ((first === 0xff && second === 0xfe) || (first !== 0 && second === 0)) return 'utf-16le';
  return (first === 0xfe && second === 0xff) || (first === 0 && second !== 0) ? 'utf-16be' : undefined;
}

/** Non-Unicode encodings by their names in the Encoding Standard; the first one is the default. */
export const LEGACY_ENCODINGS = [
  { value: 'windows-1252', label: 'Western European (Windows)' },
  { value: 'macintosh', label: 'Western European (Mac)' },
  { value: 'windows-1250', label: 'Central European' },
  { value: 'windows-1257', label: 'Baltic' },
  { value: 'windows-1251', label: 'Cyrillic (Windows)' },
  { value: 'koi8-u', label: 'Cyrillic (KOI8)' },
  { value: 'windows-1253', label: 'Greek' },
  { value: 'windows-1254', label: 'Turkish' },
  { value: 'windows-1255', label: 'Hebrew' },
  { value: 'windows-1256', label: 'Arabic' },
  { value: 'windows-1258', label: 'Vietnamese' },
  { value: 'windows-874', label: 'Thai' },
  { value: 'shift_jis', label: 'Japanese' },
  { value: 'euc-kr', label: 'Korean' },
  { value: 'gb18030', label: 'Simplified Chinese' },
  { value: 'big5', label: 'Traditional Chinese' },
] as const satisfies readonly Option[];

export type LegacyEncoding = (typeof LEGACY_ENCODINGS)[number]['value'];

export const ASSUMED_ENCODING: LegacyEncoding = 'windows-1252';

export const decodeLegacy = (bytes: Uint8Array, encoding: LegacyEncoding): string =>
  new TextDecoder(encoding).decode(bytes);
