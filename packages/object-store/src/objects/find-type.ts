import { fileTypeFromBuffer } from 'file-type';

/** How many of the first bytes are looked at. */
export const HEAD_BYTES = 64 * 1024;

const UNKNOWN = 'application/octet-stream';

/** The first bytes of a file, and whether they are all of it. */
export type Head = { bytes: Buffer; whole: boolean };

/** Finds the media type from the bytes alone: what a client says about its file is never believed (decisions, section 6). */
export async function findType(head: Head): Promise<string> {
  const known = await fileTypeFromBuffer(head.bytes).catch(() => undefined);
  if (known) return known.mime;
  const text = decodeText(head);
  if (text === undefined) return UNKNOWN;
  if (isJson(text, head.whole)) return 'application/json';
  return isCsv(text, head.whole) ? 'text/csv; charset=utf-8' : 'text/plain; charset=utf-8';
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: finding them is the purpose
const BINARY = /[\u0000-\u0008\u000e-\u001a\u001c-\u001f\u007f]/;

/** The text where the bytes are UTF-8 without control characters; a character cut at the end of the head is left out. */
function decodeText({ bytes, whole }: Head): string | undefined {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: !whole });
    return BINARY.test(text) ? undefined : text;
  } catch {
    return undefined;
  }
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
