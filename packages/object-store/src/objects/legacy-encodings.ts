import type { chardet } from 'jschardet';

/** The encodings of the Encoding Standard that files in use have, by what the detector calls each; of two that differ little, the larger. */
const ENCODINGS: ReadonlyMap<string, string> = new Map([
  ['cp1252', 'windows-1252'],
  ['cp1250', 'windows-1250'],
  ['iso8859-2', 'iso-8859-2'],
  ['cp1251', 'windows-1251'],
  ['koi8-r', 'koi8-r'],
  ['koi8-u', 'koi8-u'],
  ['cp866', 'ibm866'],
  ['iso8859-5', 'iso-8859-5'],
  ['mac-cyrillic', 'x-mac-cyrillic'],
  ['cp1253', 'windows-1253'],
  ['iso8859-7', 'iso-8859-7'],
  ['cp1254', 'windows-1254'],
  ['cp1255', 'windows-1255'],
  ['iso8859-8', 'iso-8859-8'],
  ['cp1256', 'windows-1256'],
  ['iso8859-6', 'iso-8859-6'],
  ['cp1257', 'windows-1257'],
  ['iso8859-13', 'iso-8859-13'],
  ['cp1258', 'windows-1258'],
  ['cp874', 'windows-874'],
  ['cp932', 'shift_jis'],
  ['euc_jis_2004', 'euc-jp'],
  ['cp949', 'euc-kr'],
  ['gb18030', 'gb18030'],
  ['big5hkscs', 'big5'],
]);

/** The detector is at least so sure of short texts, and less of bytes at random. */
const MIN_CONFIDENCE = 0.03;
const SAMPLE_BYTES = 16 * 1024;
const OPTIONS: chardet.DetectAllOptions = {
  includeEncodings: [...ENCODINGS.keys()],
  compatNames: false,
  preferSuperset: false,
  ignoreThreshold: true,
  maxBytes: SAMPLE_BYTES,
};

/** The legacy encodings that a text may be in, the likeliest first, by their names in the Encoding Standard. */
export async function guessLegacyEncodings(bytes: Buffer): Promise<string[]> {
  // Its model takes 70 MB, which a process that only sees Unicode need not have.
  const { chardet } = await import('jschardet');
  // Words before the first letter that is not ASCII help, too.
  const start = Math.max(0, bytes.findIndex((byte) => byte > 0x7f) - SAMPLE_BYTES / 2);
  const sample = bytes.subarray(start);
  const guesses = chardet.detectAll(sample, OPTIONS);
  // The detector believes signatures of binary formats, which a text may begin with, but none behind a space.
  const isBinary = guesses[0]?.encoding === null;
  const believed = isBinary ? chardet.detectAll(Buffer.concat([Buffer.from(' '), sample]), OPTIONS) : guesses;
  return believed
    .filter(({ confidence }) => confidence >= MIN_CONFIDENCE)
    .flatMap(({ encoding }) => ENCODINGS.get(encoding ?? '') ?? []);
}
