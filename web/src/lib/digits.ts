const DIGIT = /\p{Nd}/gu;
const IS_DIGIT = /^\p{Nd}$/u;

/** The text with decimal digits of every script (Unicode general category Nd) written as 0 to 9. */
export const withLatinDigits = (text: string): string => text.normalize('NFKC').replace(DIGIT, digitOf);

/** Unicode encodes the digits of a script as a run of ten code points that starts at zero; two runs may adjoin. */
function digitOf(char: string): string {
  const code = char.codePointAt(0) ?? 0;
  let place = 0;
  while (IS_DIGIT.test(String.fromCodePoint(code - place - 1))) place += 1;
  return String(place % 10);
}
