import { FOLDABLE, foldText } from '@atrium/proto-events/text/fold';
import { toNormalForm } from '@atrium/proto-events/text/normal-form';
import { type SearchTerm, toSearchTerms } from '@atrium/proto-events/text/search';

const MAX_WORD_LENGTH = 64;

/** Decomposes ligatures and full-width letters, so that nearly every character folds into a single one. */
export const normalizeText = (text: string): string => toNormalForm(text, 'NFKC').replaceAll('\0', '');

const foldedCharacters = new Map<string, string>();

/** Returns the character unchanged if its folded form has a different length, so that positions stay valid. */
function foldCharacter(character: string): string {
  const cached = foldedCharacters.get(character);
  if (cached !== undefined) return cached;
  const folded = foldText(character);
  const result = folded.length === character.length && [...folded].length === 1 ? folded : character;
  foldedCharacters.set(character, result);
  return result;
}

export function foldInPlace(text: string): string {
  return text
    .replace(FOLDABLE, foldCharacter)
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\p{M}\p{Default_Ignorable_Code_Point}]/gu, ' ');
}

const splitIntoWords = (text: string): SearchTerm[] =>
  toSearchTerms(text).map(({ word, isSpaceless }) => ({
    word: isSpaceless ? word : word.slice(0, MAX_WORD_LENGTH).toWellFormed(),
    isSpaceless,
  }));

const toPairs = (characters: string[]) => characters.slice(1).map((second, index) => `${characters[index]}${second}`);

/** Yields each word; in scripts without spaces, each character and each pair of characters. */
export function* indexTerms(text: string): Generator<string> {
  for (const { word, isSpaceless } of splitIntoWords(text)) {
    const characters = [...word];
    yield* isSpaceless ? [...characters, ...toPairs(characters)] : [word];
  }
}

/** Returns a `tsquery`, or undefined if the query has no word. One-letter words match whole words only. */
export function queryTerms(query: string): string | undefined {
  const terms = splitIntoWords(query).flatMap(({ word, isSpaceless }) => {
    const characters = [...word];
    if (characters.length === 1) return [quoteTerm(word)];
    return isSpaceless ? toPairs(characters).map(quoteTerm) : [`${quoteTerm(word)}:*`];
  });
  return terms.length === 0 ? undefined : [...new Set(terms)].join(' & ');
}

const quoteTerm = (term: string) => `'${term.replace(/['\\]/g, '$&$&')}'`;

/** Letters that fold to two letters. `foldInPlace` leaves them unchanged to keep the length. */
const DOUBLE_LETTERS = [...'ßæœþ\u09ce\u0d7a\u0d7b\u0d7c\u0d7d\u0d7e\u0d7f'].map((letter) => ({
  letter,
  plain: foldText(letter),
}));

/** Returns variants of a folded word with each of these letters in place of the pair, and with all of them. */
const doubledVariants = (word: string): string[] => [
  ...DOUBLE_LETTERS.map(({ letter, plain }) => word.replaceAll(plain, letter)),
  DOUBLE_LETTERS.reduce((text, { letter, plain }) => text.replaceAll(plain, letter), word),
];

/** Returns the words of a query in each spelling, longest first, to be found in text folded in place. */
export function toNeedles(query: string): string[] {
  const runs = foldInPlace(normalizeText(query)).match(/[^ ]+/g) ?? [];
  // Joiners of emoji are not words.
  const words = runs.filter((run) => foldText(run) !== '');
  const needles = words.flatMap((run) => {
    const start = toSearchTerms(run)[0]?.isSpaceless ? '' : ' ';
    const folded = foldText(run);
    return [run, folded, ...doubledVariants(folded)].map((spelling) => start + spelling);
  });
  return [...new Set(needles)].toSorted((a, b) => b.length - a.length);
}

/** Symbols are missing from text folded in place, so they are searched for separately. */
export const findSymbols = (query: string): string[] => [...new Set(normalizeText(query).match(/[\p{So}\p{Sc}%‰]/gu))];
