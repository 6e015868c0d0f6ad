import { foldText } from './fold.ts';

/** Letters and digits in a row; a symbol is a word of its own. Punctuation is in none, except for the sign of a percentage. */
const TERMS = /[\p{L}\p{M}\p{N}]+|[\p{So}\p{Sc}%‰]/gu;
/** Scripts that put no spaces between words (UAX #14, classes ID, CJ, and SA), by their names of four letters. */
const SPACELESS = [
  'Hani',
  'Hira',
  'Kana',
  'Bopo',
  'Yiii',
  'Thai',
  'Laoo',
  'Khmr',
  'Mymr',
  'Tale',
  'Talu',
  'Lana',
  'Tavt',
]
  .map((script) => `\\p{scx=${script}}`)
  .join('');
const SEGMENTS = new RegExp(`[${SPACELESS}]|[^${SPACELESS}]+`, 'gu');
const IS_SPACELESS = new RegExp(`^[${SPACELESS}]`, 'u');
const RUNS = new RegExp(`[${SPACELESS}]+|[^${SPACELESS}]+`, 'gu');

const segmentsOf = (folded: string, pieces: RegExp) =>
  (folded.match(TERMS) ?? []).flatMap((word) => word.match(pieces) ?? []);

/** A text as it is searched: its folded words, and each character of a script without spaces, with a space before each. */
export const toSearchText = (text: string): string =>
  segmentsOf(foldText(text), SEGMENTS)
    .map((piece) => ` ${piece}`)
    .join('');

/** A folded word of a text, or a run of a script without spaces. */
export type SearchTerm = { word: string; isSpaceless: boolean };

/** The words of a text or query as they are compared, in their order. */
export const toSearchTerms = (text: string): SearchTerm[] =>
  segmentsOf(foldText(text), RUNS).map((word) => ({ word, isSpaceless: IS_SPACELESS.test(word) }));

/**
 * What a search text must contain, in any order, to be found by a query: its words, which may stand within others; its runs of scripts
 * without spaces; and of several words those of one letter, which begin others. None where the query is of punctuation alone.
 */
export function searchNeedles(query: string): string[] {
  const words = new Map(toSearchTerms(query).map((one) => [one.word, one]));
  return [...words.values()].map(({ word, isSpaceless }) => {
    if (isSpaceless) return [...word].map((character) => ` ${character}`).join('');
    return words.size > 1 && [...word].length === 1 ? ` ${word}` : word;
  });
}

/** What tells whether a query finds a text; the query is folded once. A blank query finds all, one of punctuation alone finds none. */
export function createMatcher(query: string): (text: string) => boolean {
  if (query.trim() === '') return () => true;
  const needles = searchNeedles(query);
  if (needles.length === 0) return () => false;
  return (text) => {
    const searched = toSearchText(text);
    return needles.every((needle) => searched.includes(needle));
  };
}

/** Whether a query finds one text. */
export const matchesSearch = (text: string, query: string): boolean => createMatcher(query)(text);
