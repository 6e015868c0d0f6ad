import type { Span } from './excerpt.ts';
import { expandTerm } from './message-terms.ts';
import { toSearchTerms } from './search.ts';

/** Includes characters that folding drops, so that a word is one. */
const WORDS = /[\p{L}\p{M}\p{N}\p{Default_Ignorable_Code_Point}]+|[\p{So}\p{Sc}%‰]/gu;

export type LocatedTerm = Span & { term: string };

/** The terms of a text, in order. */
export type LocatedTerms = { at(index: number): LocatedTerm | undefined };

/** Locates the terms of texts: words, and each character of a script without spaces. */
export type TermLocator = (text: string) => LocatedTerms;

/**
 * Of all texts of a response. Locating the terms of as many characters takes up to 0.1 s, in which a process does
 * nothing else.
 */
const MAX_LOCATED_LENGTH = 30_000;

/** Creates the locator of a response. It locates terms when they are read, and none beyond the limit. */
export function createTermLocator(): TermLocator {
  let remaining = MAX_LOCATED_LENGTH;
  let latest: { text: string; terms: LocatedTerms } | undefined;
  return (text) => {
    if (latest?.text === text) return latest.terms;
    const located: LocatedTerm[] = [];
    const words = text.matchAll(WORDS);
    const terms = {
      at(index: number) {
        while (located.length <= index && remaining > 0) {
          const { value: word } = words.next();
          if (!word) break;
          remaining -= word[0].length;
          located.push(...locateInWord(word[0], word.index));
        }
        return located[index];
      },
    };
    latest = { text, terms };
    return terms;
  };
}

/** Yields the terms that begin in a range, with their index. */
export function* eachTerm(terms: LocatedTerms, { start, end }: Span): Generator<[index: number, term: LocatedTerm]> {
  for (let index = 0; ; index += 1) {
    const term = terms.at(index);
    if (!term || term.start >= end) return;
    if (term.start >= start) yield [index, term];
  }
}

function locateInWord(word: string, index: number): LocatedTerm[] {
  const runs = foldWord(word).isMixed ? splitRuns(word) : [{ text: word, at: 0 }];
  return runs.flatMap(({ text, at }) =>
    foldWord(text).terms.map((term) => ({ term, start: index + at, end: index + at + text.length })),
  );
}

/** `isMixed` is whether it has characters of a script without spaces. */
type FoldedWord = { terms: readonly string[]; isMixed: boolean };

/** Folding takes most of the time, and messages repeat words and characters. */
const foldedByWord = new Map<string, FoldedWord>();
const MAX_FOLDED = 20_000;
const MAX_FOLDED_LENGTH = 32;

function foldWord(word: string): FoldedWord {
  const known = foldedByWord.get(word);
  if (known) return known;
  const terms = toSearchTerms(word);
  const folded = { terms: terms.flatMap(expandTerm), isMixed: terms.some(({ isSpaceless }) => isSpaceless) };
  if (foldedByWord.size >= MAX_FOLDED) foldedByWord.clear();
  if (word.length <= MAX_FOLDED_LENGTH) foldedByWord.set(word, folded);
  return folded;
}

/** Splits a word into characters of scripts without spaces, and words of other scripts. */
function splitRuns(word: string): { text: string; at: number }[] {
  const runs: { text: string; at: number; isSpaceless: boolean }[] = [];
  let at = 0;
  for (const character of word) {
    const isSpaceless = foldWord(character).isMixed;
    const last = runs.at(-1);
    if (last && !last.isSpaceless && !isSpaceless) last.text += character;
    else runs.push({ text: character, at, isSpaceless });
    at += character.length;
  }
  return runs;
}
