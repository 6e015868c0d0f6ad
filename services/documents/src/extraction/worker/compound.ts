import { ExtractionError } from './extraction-error.ts';
import { chunksOf, type Input } from './input.ts';

/** The directory entry of an encrypted package (MS-OFFCRYPTO 2.3.4.4). */
const ENCRYPTED = Buffer.from('EncryptedPackage', 'utf16le');

/** Formats before 2007 are not supported; only encrypted packages are reported as such. */
export async function readCompound(input: Input): Promise<never> {
  let tail = Buffer.alloc(0);
  for await (const chunk of chunksOf(input)) {
    const window = Buffer.concat([tail, chunk]);
    if (window.includes(ENCRYPTED)) throw new ExtractionError('encrypted');
    tail = window.subarray(-ENCRYPTED.length);
  }
  throw new ExtractionError('unsupported');
}
