import { foldText } from './fold.ts';
import { normalizeText } from './normalize.ts';

/** Matches runs of letters and digits, and each symbol as its own term. Excludes punctuation, except percent signs. */
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

const splitSegments = (folded: string, pattern: RegExp) =>
  (folded.match(TERMS) ?? []).flatMap((word) => word.match(pattern) ?? []);

/** Returns the folded terms, and each character of a script without spaces, each preceded by a space. */
export const toSearchText = (text: string): string =>
  splitSegments(foldText(text), SEGMENTS)
    .map((segment) => ` ${segment}`)
    .join('');

export type SearchTerm = { word: string; isSpaceless: boolean };

/** Whether a folded term belongs to a script without spaces. */
export const isSpaceless = (term: string): boolean => IS_SPACELESS.test(term);

export const toSearchTerms = (text: string): SearchTerm[] =>
  splitSegments(foldText(text), RUNS).map((word) => ({ word, isSpaceless: isSpaceless(word) }));

/**
 * Returns strings that a search text must contain, in any order: words, which also match inside longer words; runs of
 * scripts without spaces; and, in a query of several words, short ones as word prefixes (`isPrefixOnly`). Empty if the
 * query has only punctuation.
 */
export function searchNeedles(query: string): string[] {
  const words = new Map(toSearchTerms(query).map((term) => [term.word, term]));
  return [...words.values()].map(({ word, isSpaceless }) => {
    if (isSpaceless) return [...word].map((character) => ` ${character}`).join('');
    return words.size > 1 && isPrefixOnly(word) ? ` ${word}` : word;
  });
}

/** A single letter, or two that an index can find only at the beginning of a word (`needleCondition`). */
export const isPrefixOnly = (word: string): boolean => /^(?:.|[a-z0-9]{2})$/u.test(word);

/** Folds the query once. A blank query matches everything, as `searchText` trims it; punctuation alone matches nothing. */
export function createMatcher(query: string): (text: string) => boolean {
  if (normalizeText(query) === '') return () => true;
  const needles = searchNeedles(query);
  if (needles.length === 0) return () => false;
  return (text) => {
    const searchableText = toSearchText(text);
    return needles.every((needle) => searchableText.includes(needle));
  };
}

export const matchesSearch = (text: string, query: string): boolean => createMatcher(query)(text);
