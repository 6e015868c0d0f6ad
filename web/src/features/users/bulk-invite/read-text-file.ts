/** Far above a list of 200 people. */
const MAX_BYTES = 1_000_000;

/** Why a file cannot be read as a list. */
export class UnreadableFile extends Error {}

/** The text of a file as spreadsheets save it: UTF-8 or UTF-16, with or without a byte order mark, else Windows-1252. */
export async function readTextFile(file: File): Promise<string> {
  if (file.size > MAX_BYTES) throw new UnreadableFile('This file is too large. Choose a list of up to 1 MB.');
  const bytes = new Uint8Array(await file.arrayBuffer());
  const text = decodeText(bytes);
  if (text.includes('\0')) throw new UnreadableFile('This is not a text file. Save the spreadsheet as CSV first.');
  return text;
}

function decodeText(bytes: Uint8Array): string {
  const encoding = utf16Of(bytes);
  if (encoding) return new TextDecoder(encoding).decode(bytes);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}

/** By the byte order mark, else by the zero byte of a first character in ASCII. */
function utf16Of([first, second]: Uint8Array): 'utf-16le' | 'utf-16be' | undefined {
  if ((first === 0xff && second === 0xfe) || (first !== 0 && second === 0)) return 'utf-16le';
  return (first === 0xfe && second === 0xff) || (first === 0 && second !== 0) ? 'utf-16be' : undefined;
}
