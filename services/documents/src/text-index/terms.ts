import { FOLDABLE, foldText } from '@atrium/proto-events/text/fold';
import { toNormalForm } from '@atrium/proto-events/text/normal-form';
import { type SearchWord, searchWords } from '@atrium/proto-events/text/search';

/** Nobody types more of a word than this to find it. */
const MAX_WORD_LENGTH = 64;
/**
 * How many letters of a word's beginning are terms of their own, so that the most frequent searches look up one term and not thousands. A
 * Hangul syllable has two or three.
 */
const SHORTEST_BEGINNING = 2;
const BEGINNING = 3;
/** No letter and no digit, so that no word is taken for a beginning. */
const BEGINNING_MARK = '_';

/**
 * A text as it is stored: with ligatures and wide letters taken apart, so that nearly every character folds into one. It is shown in
 * excerpts and searched; nobody reads it as a whole.
 */
export const normalText = (text: string): string => toNormalForm(text, 'NFKC').replaceAll('\0', '');

const inPlace = new Map<string, string>();

/** A character as it is compared where that is one character of as many units of UTF-16, so that places in a text stay; else itself. */
function foldCharacter(character: string): string {
  const known = inPlace.get(character);
  if (known !== undefined) return known;
  const folded = foldText(character);
  const result = folded.length === character.length && [...folded].length === 1 ? folded : character;
  inPlace.set(character, result);
  return result;
}

/** A normal text folded character by character, and a space for what is in no word: only to find the place of words. */
export function foldInPlace(text: string): string {
  return text
    .replace(FOLDABLE, foldCharacter)
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\p{M}\p{Default_Ignorable_Code_Point}]/gu, ' ');
}

const wordsOf = (text: string): SearchWord[] =>
  searchWords(text).map(({ word, isSpaceless }) => ({
    word: isSpaceless ? word : word.slice(0, MAX_WORD_LENGTH).toWellFormed(),
    isSpaceless,
  }));

const charactersOf = (word: string) => [...word];
const pairsOf = (characters: string[]) => characters.slice(1).map((second, index) => `${characters[index]}${second}`);

function* beginningsOf(word: string): Generator<string> {
  const characters = charactersOf(word.slice(0, 2 * BEGINNING));
  for (let length = SHORTEST_BEGINNING; length <= Math.min(BEGINNING, characters.length); length += 1)
    yield BEGINNING_MARK + characters.slice(0, length).join('');
}

/** What a text is found by: its words, their beginnings, and of scripts without spaces each character and each two in a row. */
export function* indexTerms(text: string): Generator<string> {
  for (const { word, isSpaceless } of wordsOf(text)) {
    if (!isSpaceless) {
      yield word;
      yield* beginningsOf(word);
      continue;
    }
    const characters = charactersOf(word);
    yield* characters;
    yield* pairsOf(characters);
  }
}

/**
 * The condition that a text has words which begin with each of those of a query, for PostgreSQL's `tsquery`; words of one letter count
 * as whole ones. Undefined where the query has no word.
 */
export function queryTerms(query: string): string | undefined {
  const terms = wordsOf(query).flatMap(({ word, isSpaceless }) => {
    const characters = charactersOf(word);
    if (isSpaceless) return characters.length === 1 ? [quoted(word)] : pairsOf(characters).map(quoted);
    if (characters.length < SHORTEST_BEGINNING) return [quoted(word)];
    return [characters.length <= BEGINNING ? quoted(BEGINNING_MARK + word) : `${quoted(word)}:*`];
  });
  return terms.length === 0 ? undefined : [...new Set(terms)].join(' & ');
}

const quoted = (term: string) => `'${term.replace(/['\\]/g, '$&$&')}'`;

/** Letters that count as two and keep their place in a text. */
const DOUBLE = [...'ßæœþ\u09ce\u0d7a\u0d7b\u0d7c\u0d7d\u0d7e\u0d7f'].map((letter) => ({
  letter,
  plain: foldText(letter),
}));

/** A folded word with each of these letters in turn where it has the two, and with all of them. */
const narrowed = (word: string): string[] => [
  ...DOUBLE.map(({ letter, plain }) => word.replaceAll(plain, letter)),
  DOUBLE.reduce((left, { letter, plain }) => left.replaceAll(plain, letter), word),
];

/**
 * What to look for in a text that is folded in place to find the words of a query: the longest first, each as it begins there, with one
 * letter or two where these are the same.
 */
export function needlesOf(query: string): string[] {
  const runs = foldInPlace(normalText(query)).match(/[^ ]+/g) ?? [];
  // Joiners of emoji are no word.
  const words = runs.filter((run) => foldText(run) !== '');
  const needles = words.flatMap((run) => {
    const start = searchWords(run)[0]?.isSpaceless ? '' : ' ';
    const folded = foldText(run);
    return [run, folded, ...narrowed(folded)].map((one) => start + one);
  });
  return [...new Set(needles)].toSorted((a, b) => b.length - a.length);
}

/** The symbols of a query, which a text that is folded in place does not have. */
export const symbolsOf = (query: string): string[] => [...new Set(normalText(query).match(/[\p{So}\p{Sc}%‰]/gu))];
