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

/** Both mappings are needed: ẞ folds by lowercase only, ſ by uppercase only. */
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
 * Full case folding, compatibility decomposition, without optional marks and default-ignorable code points, and
 * with letters and digits of equal primary weight (UTS #10) unified. Idempotent; equal for all normal forms of a
 * text.
 */
export const foldText = (text: string): string => orderMarks(text.toLowerCase().replace(FOLDABLE, foldOnce));

const foldKeyOnce = (text: string) =>
  toNormalForm(foldCaseByDefault(toNormalForm(text, 'NFKC').replace(IGNORABLE, '')), 'NFKC')
    .replace(BLANKS, ' ')
    .trim();

/** NFKC_Casefold (The Unicode Standard, 3.13), with whitespace collapsed and trimmed. */
export function uniqueKey(name: string): string {
  if (IS_ASCII.test(name)) return name.toLowerCase().replace(BLANKS, ' ').trim();
  return foldKeyOnce(foldKeyOnce(name));
}

const COLLATOR = new Intl.Collator('en', { numeric: true });

/** Accents and case count only where letters are equal. Total. */
export const compareText = (a: string, b: string): number => COLLATOR.compare(a, b) || Number(a > b) - Number(a < b);

const DIGIT = /\p{Nd}/gu;
const IS_DIGIT = /^\p{Nd}$/u;

/** Unicode encodes the digits of a script as a run of ten code points that starts at zero; two runs may adjoin. */
function asciiDigitOf(digit: string): string {
  const codePoint = digit.codePointAt(0) ?? 0;
  let offset = 0;
  while (IS_DIGIT.test(String.fromCodePoint(codePoint - offset - 1))) offset += 1;
  return String(offset % 10);
}

/** Decimal digits of every script (general category Nd). */
export const toAsciiDigits = (text: string): string => text.replace(DIGIT, asciiDigitOf);

/** Normalized, without case-insensitive duplicates or invisible names, in the order of first occurrence. */
export function distinctNames(names: readonly string[]): string[] {
  const seen = new Set<string>();
  return names.map(normalizeName).filter((name) => {
    const key = uniqueKey(name);
    if (!hasVisibleText(name) || seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}
