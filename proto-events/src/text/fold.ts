import { plainLetter } from './letters.ts';
import { toNormalForm } from './normal-form.ts';
import { hasVisibleText, normalizeName } from './normalize.ts';

/**
 * Characters that folding may change. Ideographs and unassigned code points are unchanged, so that texts with many
 * distinct ones cost neither time nor memory.
 */
export const FOLDABLE = /[^\0-\x7f\p{Unified_Ideograph}\p{Cn}\p{Co}]|\p{Default_Ignorable_Code_Point}/gu;
const IS_ASCII = /^[\0-\x7f]*$/;
/** Scripts whose marks above and below letters are optional in practice, and marks common to several scripts. */
const SCRIPTS_WITH_OPTIONAL_MARKS = ['Zinh', 'Latn', 'Grek', 'Cyrl', 'Hebr', 'Arab', 'Syrc', 'Samr', 'Mand', 'Copt'];
/** The dot below or beside a letter of an Indic script (Indic_Syllabic_Category=Nukta), often omitted. */
const NUKTAS = '\u093c\u09bc\u0a3c\u0abc\u0afd-\u0aff\u0b3c\u0c3c\u0cbc\u1b34\u1be6\u1c37\ua9b3';
/**
 * Optional marks and undrawn characters. In other scripts, a mark is a vowel, the absence of one, or a tone, and
 * distinguishes words.
 */
const OPTIONAL = new RegExp(
  `(?=\\p{Mn})[${SCRIPTS_WITH_OPTIONAL_MARKS.map((script) => `\\p{sc=${script}}`).join('')}${NUKTAS}]|` +
    '[\\p{Me}\\p{Default_Ignorable_Code_Point}]',
  'gu',
);
/**
 * Marks in insignificant order (UAX #15, Canonical Ordering Algorithm); longer runs, which no word has, are split,
 * since sorting is quadratic.
 */
const SEVERAL_MARKS = /\p{M}{2,30}/gu;
const IGNORABLE = /\p{Default_Ignorable_Code_Point}/gu;
const BLANKS = /\p{White_Space}+/gu;
const KATAKANA = /[\u30a1-\u30f6\u30fd\u30fe]/g;

/** Applies both mappings: ẞ folds only by lowercase, ſ only by uppercase. */
const foldCase = (text: string) => text.toLowerCase().toUpperCase().toLowerCase().replaceAll('ς', 'σ');

/** Folds case fully (The Unicode Standard, 3.13), which leaves ı unchanged. */
const foldCaseByDefault = (text: string) => text.split('ı').map(foldCase).join('ı');

function foldCharacter(character: string): string {
  const letters = foldCase(toNormalForm(character, 'NFKD').replace(OPTIONAL, ''));
  const base = toNormalForm(letters, 'NFKD').replace(OPTIONAL, '');
  const hiragana = base.replace(KATAKANA, (kana) => String.fromCharCode(kana.charCodeAt(0) - 0x60));
  return toAsciiDigits([...hiragana].map(plainLetter).join(''));
}

const foldedCharacters = new Map<string, string>();

function foldOnce(character: string): string {
  const cached = foldedCharacters.get(character);
  if (cached !== undefined) return cached;
  const result = foldCharacter(character);
  foldedCharacters.set(character, result);
  return result;
}

const orderMarks = (text: string): string => text.replace(SEVERAL_MARKS, (marks) => toNormalForm(marks, 'NFD'));

/**
 * Folds case fully, decomposes compatibility characters, removes optional marks and default-ignorable code points, and
 * unifies letters and digits of equal primary weight (UTS #10). Idempotent; equal for all normal forms of a text.
 */
export const foldText = (text: string): string => orderMarks(text.toLowerCase().replace(FOLDABLE, foldOnce));

const foldKeyOnce = (text: string) =>
  toNormalForm(foldCaseByDefault(toNormalForm(text, 'NFKC').replace(IGNORABLE, '')), 'NFKC')
    .replace(BLANKS, ' ')
    .trim();

/** Applies NFKC_Casefold (The Unicode Standard, 3.13), and collapses and trims white space. */
export function uniqueKey(name: string): string {
  if (IS_ASCII.test(name)) return name.toLowerCase().replace(BLANKS, ' ').trim();
  return foldKeyOnce(foldKeyOnce(name));
}

const COLLATOR = new Intl.Collator('en', { numeric: true });

/** Orders text; accents and case count only where letters are equal. A total order. */
export const compareText = (a: string, b: string): number => COLLATOR.compare(a, b) || Number(a > b) - Number(a < b);

const DIGIT = /\p{Nd}/gu;
const IS_DIGIT = /^\p{Nd}$/u;

/** Uses the fact that Unicode encodes the digits of a script as ten code points that start at zero; runs may adjoin. */
function toAsciiDigit(digit: string): string {
  const codePoint = digit.codePointAt(0) ?? 0;
  let offset = 0;
  while (IS_DIGIT.test(String.fromCodePoint(codePoint - offset - 1))) offset += 1;
  return String(offset % 10);
}

/** Converts the decimal digits of every script (general category Nd). */
export const toAsciiDigits = (text: string): string => text.replace(DIGIT, toAsciiDigit);

/** Normalizes names, and drops invisible ones and case-insensitive duplicates. Keeps the order of first occurrence. */
export function distinctNames(names: readonly string[]): string[] {
  const seenKeys = new Set<string>();
  return names.map(normalizeName).filter((name) => {
    const key = uniqueKey(name);
    if (!hasVisibleText(name) || seenKeys.has(key)) return false;
    seenKeys.add(key);
    return true;
  });
}
