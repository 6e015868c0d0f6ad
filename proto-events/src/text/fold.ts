import { toAsciiDigits } from './digits.ts';
import { plainLetter } from './letters.ts';
import { toNormalForm } from './normal-form.ts';

/**
 * Characters that folding may change. Ideographs, and code points that no character is assigned to, stay as they are: a text of thousands of
 * different ones costs no more than any other, and they take no memory.
 */
export const FOLDABLE = /[^\0-\x7f\p{Unified_Ideograph}\p{Cn}\p{Co}]|\p{Default_Ignorable_Code_Point}/gu;
const IS_ASCII = /^[\0-\x7f]*$/;
/** Scripts that people also write without the marks above and below their letters, and the marks of several scripts. */
const SCRIPTS_WITH_OPTIONAL_MARKS = ['Zinh', 'Latn', 'Grek', 'Cyrl', 'Hebr', 'Arab', 'Syrc', 'Samr', 'Mand', 'Copt'];
/** The dot below or beside a letter of an Indic script (Indic_Syllabic_Category=Nukta), which people leave out. */
const NUKTAS = '\u093c\u09bc\u0a3c\u0abc\u0afd-\u0aff\u0b3c\u0c3c\u0cbc\u1b34\u1be6\u1c37\ua9b3';
/** Optional marks, and what is never drawn. In other scripts, a mark is a vowel, the absence of one, or a tone: another word without it. */
const OPTIONAL = new RegExp(
  `(?=\\p{Mn})[${SCRIPTS_WITH_OPTIONAL_MARKS.map((script) => `\\p{sc=${script}}`).join('')}${NUKTAS}]|` +
    '[\\p{Me}\\p{Default_Ignorable_Code_Point}]',
  'gu',
);
/** Marks whose order may say nothing (UAX #15, Canonical Ordering Algorithm); a longer run, which no word has, in pieces: sorting it is quadratic. */
const SEVERAL_MARKS = /\p{M}{2,30}/gu;
const IGNORABLE = /\p{Default_Ignorable_Code_Point}/gu;
const BLANKS = /\p{White_Space}+/gu;
const KATAKANA = /[\u30a1-\u30f6\u30fd\u30fe]/g;

/** Between the two runs, each of which some letters need: ẞ has a lower case alone, ſ an upper case alone. */
const foldCase = (text: string) => text.toLowerCase().toUpperCase().toLowerCase().replaceAll('ς', 'σ');

/** Full case folding (The Unicode Standard, 3.13), which leaves ı alone. */
const foldCaseByDefault = (text: string) => text.split('ı').map(foldCase).join('ı');

function foldCharacter(character: string): string {
  const letters = foldCase(toNormalForm(character, 'NFKD').replace(OPTIONAL, ''));
  const base = toNormalForm(letters, 'NFKD').replace(OPTIONAL, '');
  const hiragana = base.replace(KATAKANA, (kana) => String.fromCharCode(kana.charCodeAt(0) - 0x60));
  return toAsciiDigits([...hiragana].map(plainLetter).join(''));
}

const folded = new Map<string, string>();

function foldOnce(character: string): string {
  const known = folded.get(character);
  if (known !== undefined) return known;
  const result = foldCharacter(character);
  folded.set(character, result);
  return result;
}

const orderMarks = (text: string): string => text.replace(SEVERAL_MARKS, (marks) => toNormalForm(marks, 'NFD'));

/**
 * Text as searches compare it: full case folding, compatibility forms taken apart, without optional marks and default-ignorable code
 * points, other letters and digits of one primary weight (UTS #10) as one. Idempotent; the same for all normal forms of a text.
 */
export const foldText = (text: string): string => orderMarks(text.toLowerCase().replace(FOLDABLE, foldOnce));

const foldKeyOnce = (text: string) =>
  toNormalForm(foldCaseByDefault(toNormalForm(text, 'NFKC').replace(IGNORABLE, '')), 'NFKC')
    .replace(BLANKS, ' ')
    .trim();

/** What names are unique by: NFKC_Casefold (The Unicode Standard, 3.13), with whitespace collapsed and trimmed. */
export function uniqueKey(name: string): string {
  if (IS_ASCII.test(name)) return name.toLowerCase().replace(BLANKS, ' ').trim();
  return foldKeyOnce(foldKeyOnce(name));
}

const COLLATOR = new Intl.Collator('en', { numeric: true });

/** The order of texts in a list for people: accents and case count only where letters are the same. Total. */
export const compareText = (a: string, b: string): number => COLLATOR.compare(a, b) || Number(a > b) - Number(a < b);
