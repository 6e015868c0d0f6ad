import { type MarkedText, makeExcerpt, type Span } from './excerpt.ts';
import { createTermLocator, eachTerm, type LocatedTerm, type LocatedTerms, type TermLocator } from './locate-terms.ts';
import { parseMessageQuery, type QueryPart } from './message-query.ts';
import { isPrefixOnly, type SearchTerm, searchNeedles, toSearchTerms, toSearchText } from './search.ts';

/** Each is a condition of a statement. */
const MAX_NEEDLES = 20;

/** A query of names and texts. */
export type TextQuery = {
  /** Words and phrases without quotes. */
  text: string;
  /** The terms of `text`, each once. */
  terms: readonly SearchTerm[];
  /** Strings that a search text must contain (`searchNeedles`): of words, and of phrases. Empty for operators alone. */
  needles: readonly string[];
  /** Strings that a search text must not contain. */
  excluded: readonly string[];
  /** Operators, such as `from:`. */
  filters: readonly QueryPart[];
  /** Of the response to this query. */
  locate: TermLocator;
};

/** Parses words, `"phrases"`, `-exclusions`, and operators. Returns undefined if there are neither words nor operators. */
export function parseTextQuery(query: string): TextQuery | undefined {
  const all = parseMessageQuery(query);
  const parts = all.filter(({ kind }) => kind === 'text');
  const included = parts.filter(({ isExcluded }) => !isExcluded);
  const text = included.map(textOf).join(' ');
  const phrases = included.filter(isPhrase).map((part) => toSearchText(textOf(part)));
  const needles = distinct([...searchNeedles(text), ...phrases]);
  const excluded = parts.filter(({ isExcluded }) => isExcluded).map((part) => toSearchText(textOf(part)));
  const filters = all.filter(({ kind }) => kind !== 'text');
  if (needles.length + filters.length === 0) return undefined;
  const terms = new Map(toSearchTerms(text).map((term) => [term.word, term]));
  return {
    text,
    terms: [...terms.values()].slice(0, MAX_NEEDLES),
    needles,
    excluded: distinct(excluded),
    filters,
    locate: createTermLocator(),
  };
}

const textOf = (part: QueryPart) => (part.kind === 'text' ? part.text : '');
const isPhrase = (part: QueryPart) => part.kind === 'text' && part.isQuoted;
const distinct = (texts: readonly string[]) => [...new Set(texts.filter(Boolean))].slice(0, MAX_NEEDLES);

/** Whether a text contains words of the query. */
export const containsTerms = (text: string, { terms, locate }: TextQuery): boolean => {
  const located = locate(toLine(text));
  return terms.every((term) => findTerms(located, [term], WHOLE).next().value !== undefined);
};

const toLine = (text: string) => text.replace(/\s+/gu, ' ').trim();

const WHOLE: Span = { start: 0, end: Number.POSITIVE_INFINITY };

/** Returns the part of a text around the first match, on one line, with the words of the query marked. */
export function markTerms(text: string, { terms, locate }: TextQuery): MarkedText[] {
  const line = toLine(text);
  const located = locate(line);
  return makeExcerpt(line, (range) => findTerms(located, terms, range));
}

function* findTerms(located: LocatedTerms, terms: readonly SearchTerm[], range: Span): Generator<Span, undefined> {
  for (const [index, found] of eachTerm(located, range)) {
    for (const term of terms) {
      const span = term.isSpaceless ? findRun(located, index, term) : findPart(found, term, terms.length > 1);
      if (span) yield span;
    }
  }
}

/** A run of characters of a script without spaces. */
function findRun(located: LocatedTerms, index: number, { word }: SearchTerm): Span | undefined {
  const characters = [...word];
  const isMatch = characters.every((character, offset) => located.at(index + offset)?.term === character);
  const [first, last] = [located.at(index), located.at(index + characters.length - 1)];
  return isMatch && first && last ? { start: first.start, end: last.end } : undefined;
}

/** A part of a word: all of it if folding has changed its length. */
function findPart(located: LocatedTerm, { word }: SearchTerm, areSeveral: boolean): Span | undefined {
  const { term, start, end } = located;
  const at = term.indexOf(word);
  if (at < 0 || (at > 0 && areSeveral && isPrefixOnly(word))) return undefined;
  return term.length === end - start ? { start: start + at, end: start + at + word.length } : { start, end };
}
