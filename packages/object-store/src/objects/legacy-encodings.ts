import { isAscii } from 'node:buffer';
import type { chardet } from 'jschardet';

/**
 * Maps the detector's names to common encodings of the Encoding Standard. Of two similar ones, only the superset is
 * listed.
 */
const ENCODINGS: ReadonlyMap<string, string> = new Map([
  ['cp1252', 'windows-1252'],
  ['mac-roman', 'macintosh'],
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

const WESTERN = 'windows-1252';
/** Encodings of languages in Latin script, whose letters are mostly ASCII. */
export const LATIN = [
  ...[WESTERN, 'macintosh', 'windows-1250', 'iso-8859-2', 'windows-1254', 'windows-1257', 'iso-8859-13'],
  'windows-1258',
];

/** Minimum confidence of the detector for short texts; it is lower for random bytes. */
const MIN_CONFIDENCE = 0.03;
/**
 * Minimum confidence for mostly ASCII text in a Latin encoding. It is lower, because lists of names are unlike prose.
 */
const MIN_LATIN_CONFIDENCE = 0.015;
/** Guesses whose confidence is at least this fraction of the best one are considered equal. */
const TIE_RATIO = 0.8;
const SAMPLE_BYTES = 16 * 1024;
const OPTIONS: chardet.DetectAllOptions = {
  includeEncodings: [...ENCODINGS.keys()],
  compatNames: false,
  preferSuperset: false,
  ignoreThreshold: true,
  maxBytes: SAMPLE_BYTES,
};

type Guess = { name: string; confidence: number };

/** Returns names of the Encoding Standard, the likeliest first. */
export async function guessLegacyEncodings(bytes: Buffer): Promise<string[]> {
  const sample = sampleLines(bytes);
  const isLatin = isMostlyAscii(sample.toString('latin1'));
  const guesses = (await detect(sample)).filter(
    ({ name, confidence }) =>
      confidence >= MIN_CONFIDENCE || (isLatin && LATIN.includes(name) && confidence >= MIN_LATIN_CONFIDENCE),
  );
  return preferWestern(guesses).map(({ name }) => name);
}

/** Skips lines of ASCII, which carry no information and may exceed what the detector reads. */
function sampleLines(bytes: Buffer): Buffer {
  const lines: Buffer[] = [];
  let size = 0;
  for (let start = 0; start < bytes.length && size < SAMPLE_BYTES; ) {
    const newline = bytes.indexOf(0x0a, start);
    const end = newline === -1 ? bytes.length : newline + 1;
    const line = bytes.subarray(start, end);
    start = end;
    if (isAscii(line)) continue;
    const firstNonAscii = line.findIndex((byte) => byte > 0x7f);
    const excerpt = line.subarray(Math.max(0, firstNonAscii - SAMPLE_BYTES / 2));
    lines.push(excerpt);
    size += excerpt.length;
  }
  return Buffer.concat(lines);
}

async function detect(sample: Buffer): Promise<Guess[]> {
  // Its model takes 70 MB, which a process that only reads Unicode does not need.
  const { chardet } = await import('jschardet');
  const guesses = chardet.detectAll(sample, OPTIONS);
  // The detector also finds signatures of binary formats in text that happens to begin with one. A preceding space
  // prevents that.
  const isBinary = guesses[0]?.encoding === null;
  const textGuesses = isBinary ? chardet.detectAll(Buffer.concat([Buffer.from(' '), sample]), OPTIONS) : guesses;
  return textGuesses.flatMap(({ encoding, confidence }) => {
    const name = ENCODINGS.get(encoding ?? '');
    return name === undefined ? [] : [{ name, confidence }];
  });
}

/** Moves windows-1252, by far the most frequent, before Latin encodings that are hardly likelier. */
function preferWestern(guesses: readonly Guess[]): readonly Guess[] {
  const western = guesses.find(({ name }) => name === WESTERN);
  const first = guesses.findIndex(({ name }) => LATIN.includes(name));
  const best = guesses[first];
  if (!western || !best || western.confidence < best.confidence * TIE_RATIO) return guesses;
  const others = guesses.filter((guess) => guess !== western);
  return others.toSpliced(first, 0, western);
}

/** Matches letters of other scripts next to a Latin one, as in wrongly decoded text. */
const MIXED =
  /(?<=[A-Za-z])(?![\p{sc=Latin}\p{sc=Inherited}])[\p{L}\p{M}]|(?![\p{sc=Latin}\p{sc=Inherited}])[\p{L}\p{M}](?=[A-Za-z])/gu;
const MAX_MISPLACED_RATIO = 0.2;
const SAMPLE_CHARACTERS = 16 * 1024;
const NOT_ASCII = /[^\0-\x7f]/gu;
/** C1 control characters, unassigned code points, and private use. */
const IMPOSSIBLE_IN_TEXT = /[\u0080-\u009f\p{Cn}\p{Co}]/u;
/** Matches characters next to letters, Western European letters that are words, and the punctuation of prose. */
const PLAUSIBLE =
  /(?<=\p{L}|\p{M})[^\0-\x7f]|[^\0-\x7f](?=\p{L}|\p{M})|(?<![^\s;,'"(])[àáèéêíòóôöúåÀÁÈÉÊÍÒÓÔÖÚÅ](?![^\s;,.'")])|[\p{Pi}\p{Pf}\p{Pd}\u3000-\u30ff\uff00-\uffef…•€£¥§©®™°·¡¿½¼¾²³×÷±µ\u00a0]/gu;
const MIN_PLAUSIBLE_RATIO = 0.6;
/** Matches capitals between a letter and a lowercase letter. */
const MISPLACED_CAPITAL = /(?<=\p{L})[^\P{Lu}A-Z](?=\p{Ll})/gu;

/**
 * Whether non-ASCII characters are placed as in text: random ones are mostly not next to a letter, or next to a letter
 * of a different script or case.
 */
export function isPlausible(text: string): boolean {
  if (IMPOSSIBLE_IN_TEXT.test(text)) return false;
  const sample = sampleText(text);
  const nonAsciiCount = sample.match(NOT_ASCII)?.length ?? 0;
  const misplacedCount = (sample.match(MIXED)?.length ?? 0) + (sample.match(MISPLACED_CAPITAL)?.length ?? 0);
  return (
    (sample.match(PLAUSIBLE)?.length ?? 0) >= nonAsciiCount * MIN_PLAUSIBLE_RATIO &&
    misplacedCount <= nonAsciiCount * MAX_MISPLACED_RATIO
  );
}

const ASCII_LETTERS = /[A-Za-z]/g;
const OTHER_LETTERS = /[^\P{L}\0-\x7f]/gu;
/**
 * Three consecutive non-ASCII letters, signs that do not occur in Latin-script texts, and signs between letters other
 * than apostrophes, dashes, and hyphens.
 */
const NOT_LATIN = /[^\P{L}\0-\x7f]{3}|[ˆ˜¨¸¬¤¦¯ƒ‡]|(?<=\p{L})[^\0-\x7f\p{L}\p{M}\p{Pd}’‘·…\u00a0\u00ad](?=\p{L})/u;

/** Whether most letters of text decoded as windows-1252 are ASCII, as in Latin-script languages. */
function isMostlyAscii(text: string): boolean {
  const sample = sampleText(text);
  return (sample.match(OTHER_LETTERS)?.length ?? 0) <= (sample.match(ASCII_LETTERS)?.length ?? 0);
}

/** Whether text that the detector does not recognize (short, in capitals, or a list of names) can be windows-1252. */
export const isWestern = (text: string): boolean => isPlausible(text) && isMostlyAscii(text) && !NOT_LATIN.test(text);

function sampleText(text: string): string {
  const start = Math.max(0, text.search(/[^\0-\x7f]/) - 1);
  return text.slice(start, start + SAMPLE_CHARACTERS);
}
