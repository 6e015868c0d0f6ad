import { ASSUMED_ENCODING, decodeLegacy } from './legacy-encodings.ts';

/** Far more than a list of 200 people needs. */
const MAX_BYTES = 1_000_000;

/** Why a file cannot be read as a list. */
export class UnreadableFile extends Error {}

/** `legacy` are the bytes of a non-Unicode file, which may be decoded again in another encoding. */
export type FileText = { text: string; legacy?: Uint8Array };

/** The text of a file: UTF-8 or UTF-16, with or without a byte order mark, otherwise Windows-1252. */
export async function readTextFile(file: File): Promise<FileText> {
  if (file.size > MAX_BYTES) throw new UnreadableFile('This file is too large. Choose a list of up to 1 MB.');
  const bytes = new Uint8Array(await file.arrayBuffer());
  const read = decodeText(bytes);
  if (read.text.includes('\0')) throw new UnreadableFile('This is not a text file. Save the spreadsheet as CSV first.');
  return read;
}

function decodeText(bytes: Uint8Array): FileText {
  const encoding = utf16Of(bytes);
  if (encoding) return { text: new TextDecoder(encoding).decode(bytes) };
  try {
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(bytes) };
  } catch {
    return { text: decodeLegacy(bytes, ASSUMED_ENCODING), legacy: bytes };
  }
}

/** Detected by the byte order mark, otherwise by the zero byte of a first ASCII character. */
function utf16Of([first, second]: Uint8Array): 'utf-16le' | 'utf-16be' | undefined {
  if ((first === 0xff && second === 0xfe) || (first !== 0 && second === 0)) return 'utf-16le';
  return (first === 0xfe && second === 0xff) || (first === 0 && second !== 0) ? 'utf-16be' : undefined;
}
