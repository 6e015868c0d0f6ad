import { TextDecoder } from 'node:util';

/** As a page names it in its first kilobyte (HTML, 13.2.3.2). */
const NAMED = /<(?:meta[^>]{1,200}?charset|\?xml[^>]{1,100}?encoding)\s*=\s*(?:["']\s*)?([\w-]{2,40})/i;

// biome-ignore lint/suspicious/noControlCharactersInRegex: no text has them
const BINARY = /[\u0000-\u0008\u000e-\u001a\u001c-\u001f]/;

/**
 * The decoder for a text whose first bytes these are: as its mark says (UTF-8, UTF-16), as the page says of itself, UTF-8 if it is that,
 * else windows-1252, in which every byte is a letter. Undefined where it is no text.
 */
export function decoderFor(head: Buffer, whole: boolean): TextDecoder | undefined {
  if (head[0] === 0xff && head[1] === 0xfe) return new TextDecoder('utf-16le');
  if (head[0] === 0xfe && head[1] === 0xff) return new TextDecoder('utf-16be');
  if (BINARY.test(head.toString('latin1'))) return undefined;
  if (isUtf8(head, whole)) return new TextDecoder('utf-8');
  return named(head) ?? new TextDecoder('windows-1252');
}

/** The last character may be cut where there is more than the head. */
function isUtf8(head: Buffer, whole: boolean): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(head, { stream: !whole });
    return true;
  } catch {
    return false;
  }
}

function named(head: Buffer): TextDecoder | undefined {
  const [, label] = NAMED.exec(head.subarray(0, 1024).toString('latin1')) ?? [];
  try {
    return label === undefined ? undefined : new TextDecoder(label);
  } catch {
    return undefined;
  }
}
