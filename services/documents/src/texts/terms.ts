/** Letters that stand for others and are no accented ones. */
const PLAIN: Readonly<Record<string, string>> = { ø: 'o', đ: 'd', ð: 'd', ł: 'l', ı: 'i', ħ: 'h', ŧ: 't', ς: 'σ' };
/** The same where one letter stands for two, which only words can bear: a text keeps its length. */
const DOUBLE: Readonly<Record<string, string>> = { ß: 'ss', æ: 'ae', œ: 'oe', þ: 'th' };

/** Scripts that put no spaces between words. */
const SPACELESS = String.raw`\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}`;
const PIECES = new RegExp(`[${SPACELESS}]+|[^${SPACELESS}]+`, 'gu');
const IS_SPACELESS = new RegExp(`^[${SPACELESS}]`, 'u');

/** Nobody types more of a word than this to find it. */
const LONGEST_WORD = 64;
/** How many letters of a word's beginning are kept as a term, so that the most frequent of all searches looks up one term and not thousands. */
const BEGINNING = 3;
/** No letter and no digit, so that no word is taken for a beginning. */
const BEGINNING_MARK = '_';

const folded = new Map<string, string>();

/** One character without case and accents; of as many units of UTF-16 as before, so that places in a text stay what they are. */
function foldCharacter(character: string): string {
  const known = folded.get(character);
  if (known !== undefined) return known;
  const plain = character.toLowerCase().normalize('NFD').replace(/\p{M}/gu, '');
  const single = PLAIN[plain] ?? plain;
  const result = single.length === character.length && [...single].length === 1 ? single : character;
  folded.set(character, result);
  return result;
}

/**
 * A text as it is kept: with ligatures and wide letters taken apart, so that each of its characters folds into one. It is shown in pieces
 * and searched; nobody reads it as a whole.
 */
export const normalText = (text: string): string => text.normalize('NFKC').replaceAll('\0', '');

/** A normal text as its words are compared, character for character: in small letters without accents, and a space for what is in no word. */
export function foldText(text: string): string {
  return text
    .replace(/[^\0-\x7f]/gu, foldCharacter)
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\p{M}\p{Default_Ignorable_Code_Point}]/gu, ' ');
}

/** Marks that folding leaves, and what is never drawn, as joiners: no word has them. */
const UNSPOKEN = /[\u0300-\u036f\p{Default_Ignorable_Code_Point}]/gu;

const widened = (word: string) => word.replace(/[ßæœþ]/g, (letter) => DOUBLE[letter] ?? letter);
const narrowed = (word: string) =>
  Object.entries(DOUBLE).reduce((left, [letter, two]) => left.replaceAll(two, letter), word);

/** The words of a folded text, and of scripts without spaces what stands between others. */
function* wordsOf(folded: string): Generator<{ word: string; isSpaceless: boolean }> {
  for (const [run] of folded.matchAll(/[^ ]+/g)) {
    for (const [piece] of run.replace(UNSPOKEN, '').matchAll(PIECES)) {
      const isSpaceless = IS_SPACELESS.test(piece);
      const word = widened(piece);
      if (word !== '') yield { word: isSpaceless ? word : word.slice(0, LONGEST_WORD).toWellFormed(), isSpaceless };
    }
  }
}

const charactersOf = (word: string) => [...word];
const pairsOf = (characters: string[]) => characters.slice(1).map((second, index) => `${characters[index]}${second}`);
const beginningOf = (word: string) =>
  BEGINNING_MARK +
  charactersOf(word.slice(0, 2 * BEGINNING))
    .slice(0, BEGINNING)
    .join('');

/** What a folded text is found by: its words, their beginnings, and of scripts without spaces each character and each two in a row. */
export function* indexTerms(folded: string): Generator<string> {
  for (const { word, isSpaceless } of wordsOf(folded)) {
    if (!isSpaceless) {
      yield word;
      if (word.length >= BEGINNING) yield beginningOf(word);
      continue;
    }
    const characters = charactersOf(word);
    yield* characters;
    yield* pairsOf(characters);
  }
}

/**
 * The condition that a text has words which begin with each of those that are sought, for PostgreSQL's `tsquery`; words of one or two
 * letters count as whole ones. Undefined where no word is sought.
 */
export function queryTerms(search: string): string | undefined {
  const terms = [...wordsOf(foldText(normalText(search)))].flatMap(({ word, isSpaceless }) => {
    const characters = charactersOf(word);
    if (isSpaceless) return characters.length === 1 ? [quoted(word)] : pairsOf(characters).map(quoted);
    if (characters.length < BEGINNING) return [quoted(word)];
    return [characters.length === BEGINNING ? quoted(BEGINNING_MARK + word) : `${quoted(word)}:*`];
  });
  return terms.length === 0 ? undefined : [...new Set(terms)].join(' & ');
}

const quoted = (term: string) => `'${term.replace(/['\\]/g, '$&$&')}'`;

/**
 * What to look for in a folded text to find the place of the words that are sought: the longest first, each as it begins there, with one
 * letter or two where these are the same.
 */
export function needlesOf(search: string): string[] {
  const runs = foldText(normalText(search)).match(/[^ ]+/g) ?? [];
  const needles = runs
    .map((run) => (IS_SPACELESS.test(run) ? run : ` ${run}`))
    .flatMap((run) => [run, widened(run), narrowed(run)]);
  return [...new Set(needles)].toSorted((a, b) => b.length - a.length);
}
