import { FOLDABLE, foldText } from '@atrium/proto-events/text/fold';
import { toNormalForm } from '@atrium/proto-events/text/normal-form';
import { type SearchTerm, toSearchTerms } from '@atrium/proto-events/text/search';

const MAX_WORD_LENGTH = 64;

/** Ligatures and full-width letters are decomposed, so that nearly every character folds into one. */
export const normalizeText = (text: string): string => toNormalForm(text, 'NFKC').replaceAll('\0', '');

const inPlace = new Map<string, string>();

/** Folds only to the same length in UTF-16 units, so that positions stay valid. */
function foldCharacter(character: string): string {
  const known = inPlace.get(character);
  if (known !== undefined) return known;
  const folded = foldText(character);
  const result = folded.length === character.length && [...folded].length === 1 ? folded : character;
  inPlace.set(character, result);
  return result;
}

export function foldInPlace(text: string): string {
  return text
    .replace(FOLDABLE, foldCharacter)
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\p{M}\p{Default_Ignorable_Code_Point}]/gu, ' ');
}

const wordsOf = (text: string): SearchTerm[] =>
  toSearchTerms(text).map(({ word, isSpaceless }) => ({
    word: isSpaceless ? word : word.slice(0, MAX_WORD_LENGTH).toWellFormed(),
    isSpaceless,
  }));

const pairsOf = (characters: string[]) => characters.slice(1).map((second, index) => `${characters[index]}${second}`);

/** For scripts without spaces, each character and each pair. */
export function* indexTerms(text: string): Generator<string> {
  for (const { word, isSpaceless } of wordsOf(text)) {
    const characters = [...word];
    yield* isSpaceless ? [...characters, ...pairsOf(characters)] : [word];
  }
}

/** One-letter words match whole words only. Undefined without a word. */
export function queryTerms(query: string): string | undefined {
  const terms = wordsOf(query).flatMap(({ word, isSpaceless }) => {
    const characters = [...word];
    if (characters.length === 1) return [quoted(word)];
    return isSpaceless ? pairsOf(characters).map(quoted) : [`${quoted(word)}:*`];
  });
  return terms.length === 0 ? undefined : [...new Set(terms)].join(' & ');
}

const quoted = (term: string) => `'${term.replace(/['\\]/g, '$&$&')}'`;

/** Letters that fold to two and keep their length in place. */
const DOUBLE = [...'ßæœþ\u09ce\u0d7a\u0d7b\u0d7c\u0d7d\u0d7e\u0d7f'].map((letter) => ({
  letter,
  plain: foldText(letter),
}));

/** Variants of a folded word with each of these letters in place of the pair, and with all of them. */
const doubledVariants = (word: string): string[] => [
  ...DOUBLE.map(({ letter, plain }) => word.replaceAll(plain, letter)),
  DOUBLE.reduce((text, { letter, plain }) => text.replaceAll(plain, letter), word),
];

/** Longest first, in each spelling. */
export function needlesOf(query: string): string[] {
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

/** Missing in texts folded in place. */
export const symbolsOf = (query: string): string[] => [...new Set(normalizeText(query).match(/[\p{So}\p{Sc}%‰]/gu))];
