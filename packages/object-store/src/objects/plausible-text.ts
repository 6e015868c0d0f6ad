/** A letter of another script next to a Latin one, as in a wrongly decoded text. */
const MIXED =
  /(?<=[A-Za-z])(?![\p{sc=Latin}\p{sc=Inherited}])[\p{L}\p{M}]|(?![\p{sc=Latin}\p{sc=Inherited}])[\p{L}\p{M}](?=[A-Za-z])/gu;
const MAX_MIXED = 0.2;
const SAMPLE_CHARACTERS = 16 * 1024;
const NOT_ASCII = /[^\0-\x7f]/gu;
const FOREIGN = /[\u0080-\u009f\p{Cn}\p{Co}]/u;
/** Adjacent letters, Western European letters that are words, and the punctuation of prose. */
const USUAL =
  /(?<=\p{L}|\p{M})[^\0-\x7f]|[^\0-\x7f](?=\p{L}|\p{M})|(?<![^\s;,'"(])[àáèéêíòóôöúåÀÁÈÉÊÍÒÓÔÖÚÅ](?![^\s;,.'")])|[\p{Pi}\p{Pf}\p{Pd}\u3000-\u30ff\uff00-\uffef…•€£¥§©®™°·¡¿½¼¾²³×÷±µ\u00a0]/gu;
const MIN_USUAL = 0.6;
/** A capital between a letter and a lowercase letter. */
const MISPLACED_CAPITAL = /(?<=\p{L})[^\P{Lu}A-Z](?=\p{Ll})/gu;

/**
 * Whether non-ASCII characters are placed as in a text: random ones are mostly next to no letter, or to one of
 * another script or case.
 */
export function isPlausible(text: string): boolean {
  if (FOREIGN.test(text)) return false;
  const sample = sampleOf(text);
  const foreign = sample.match(NOT_ASCII)?.length ?? 0;
  const mixed = (sample.match(MIXED)?.length ?? 0) + (sample.match(MISPLACED_CAPITAL)?.length ?? 0);
  return (sample.match(USUAL)?.length ?? 0) >= foreign * MIN_USUAL && mixed <= foreign * MAX_MIXED;
}

const ASCII_LETTERS = /[A-Za-z]/g;
const OTHER_LETTERS = /[^\P{L}\0-\x7f]/gu;
/**
 * Three consecutive non-ASCII letters, signs that do not occur in Latin-script texts, and signs between letters other
 * than apostrophes, dashes, and hyphens.
 */
const UNUSUAL = /[^\P{L}\0-\x7f]{3}|[ˆ˜¨¸¬¤¦¯ƒ‡]|(?<=\p{L})[^\0-\x7f\p{L}\p{M}\p{Pd}’‘·…\u00a0\u00ad](?=\p{L})/u;

/** Whether the letters of a text, decoded as windows-1252, are mostly ASCII, as in Latin-script languages. */
export function isMostlyAscii(text: string): boolean {
  const sample = sampleOf(text);
  return (sample.match(OTHER_LETTERS)?.length ?? 0) <= (sample.match(ASCII_LETTERS)?.length ?? 0);
}

/** Whether an undetected text can be read as windows-1252: short, in capitals, or a list of names. */
export const isWestern = (text: string): boolean => isPlausible(text) && isMostlyAscii(text) && !UNUSUAL.test(text);

function sampleOf(text: string): string {
  const start = Math.max(0, text.search(/[^\0-\x7f]/) - 1);
  return text.slice(start, start + SAMPLE_CHARACTERS);
}
