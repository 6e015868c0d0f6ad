import { ExtractionError } from './fault.ts';
import { chunksOf, type Input } from './input.ts';

/** The stream in which Office keeps a package that has a password (MS-OFFCRYPTO 2.3.4.4), as its directory names it. */
const ENCRYPTED = Buffer.from('EncryptedPackage', 'utf16le');

/** Nobody reads the formats before 2007, but a person is told when it is the password that keeps a file from being read. */
export async function readCompound(input: Input): Promise<never> {
  let tail = Buffer.alloc(0);
  for await (const chunk of chunksOf(input)) {
    const window = Buffer.concat([tail, chunk]);
    if (window.includes(ENCRYPTED)) throw new ExtractionError('encrypted');
    tail = window.subarray(-ENCRYPTED.length);
  }
  throw new ExtractionError('unsupported');
}
