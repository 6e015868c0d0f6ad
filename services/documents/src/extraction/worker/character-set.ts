import { TextDecoder } from 'node:util';
import { decodeHead } from '@atrium/object-store/objects/text-encoding';

// biome-ignore lint/suspicious/noControlCharactersInRegex: no text has them
const BINARY = /[\u0000-\u0008\u000e-\u001a\u001c-\u001f]/;

/**
 * The decoder for a text whose first bytes these are: in the encoding that is found for them, else windows-1252, in which every byte is a
 * letter. Undefined where it is no text.
 */
export async function decoderFor(head: Buffer, whole: boolean): Promise<TextDecoder | undefined> {
  const decoded = await decodeHead({ bytes: head, whole });
  if (decoded) return new TextDecoder(decoded.encoding);
  return BINARY.test(head.toString('latin1')) ? undefined : new TextDecoder('windows-1252');
}
