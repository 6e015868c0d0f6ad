import type { Span } from './excerpt.ts';
import { toTerms } from './message-terms.ts';
import { toSearchTerms } from './search.ts';

/** Includes characters that folding drops, so that a word is one. */
const WORDS = /[\p{L}\p{M}\p{N}\p{Default_Ignorable_Code_Point}]+|[\p{So}\p{Sc}%‰]/gu;

export type LocatedTerm = Span & { term: string };

/** Returns the terms of a text with their positions: words, and each character of a script without spaces. */
export function locateTerms(text: string): LocatedTerm[] {
  return [...text.matchAll(WORDS)].flatMap(({ index, 0: word }) => {
    const runs = foldWord(word).isMixed ? splitRuns(word) : [{ text: word, at: 0 }];
    return runs.flatMap((run) =>
      foldWord(run.text).terms.map((term) => ({
        term,
        start: index + run.at,
        end: index + run.at + run.text.length,
      })),
    );
  });
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
  const folded = { terms: toTerms(word), isMixed: toSearchTerms(word).some(({ isSpaceless }) => isSpaceless) };
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
