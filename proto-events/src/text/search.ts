import { foldText } from './fold.ts';

/** A run of letters and digits; a symbol is its own term. Punctuation is excluded, except percent signs. */
const TERMS = /[\p{L}\p{M}\p{N}]+|[\p{So}\p{Sc}%‰]/gu;
/** Scripts without spaces between words (UAX #14, classes ID, CJ, and SA), as four-letter script codes. */
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

const segmentsOf = (folded: string, pattern: RegExp) =>
  (folded.match(TERMS) ?? []).flatMap((word) => word.match(pattern) ?? []);

/** The folded terms, and each character of a script without spaces, each preceded by a space. */
export const toSearchText = (text: string): string =>
  segmentsOf(foldText(text), SEGMENTS)
    .map((segment) => ` ${segment}`)
    .join('');

export type SearchTerm = { word: string; isSpaceless: boolean };

export const toSearchTerms = (text: string): SearchTerm[] =>
  segmentsOf(foldText(text), RUNS).map((word) => ({ word, isSpaceless: IS_SPACELESS.test(word) }));

/**
 * A search text must contain all of them, in any order: words, which match inside others; runs of scripts
 * without spaces; and, in a query of several words, single letters as word prefixes. Empty if the query has only
 * punctuation.
 */
export function searchNeedles(query: string): string[] {
  const words = new Map(toSearchTerms(query).map((term) => [term.word, term]));
  return [...words.values()].map(({ word, isSpaceless }) => {
    if (isSpaceless) return [...word].map((character) => ` ${character}`).join('');
    return words.size > 1 && [...word].length === 1 ? ` ${word}` : word;
  });
}

/** The query is folded once. A blank one matches everything, punctuation alone nothing. */
export function createMatcher(query: string): (text: string) => boolean {
  if (query.trim() === '') return () => true;
  const needles = searchNeedles(query);
  if (needles.length === 0) return () => false;
  return (text) => {
    const searched = toSearchText(text);
    return needles.every((needle) => searched.includes(needle));
  };
}

export const matchesSearch = (text: string, query: string): boolean => createMatcher(query)(text);
