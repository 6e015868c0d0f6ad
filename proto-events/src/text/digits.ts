const DIGIT = /\p{Nd}/gu;
const IS_DIGIT = /^\p{Nd}$/u;

/** Unicode encodes the digits of a script as a run of ten code points that starts at zero; two runs may adjoin. */
function asciiDigitOf(digit: string): string {
  const codePoint = digit.codePointAt(0) ?? 0;
  let place = 0;
  while (IS_DIGIT.test(String.fromCodePoint(codePoint - place - 1))) place += 1;
  return String(place % 10);
}

/** The text with decimal digits of every script (general category Nd) written as 0 to 9. */
export const toAsciiDigits = (text: string): string => text.replace(DIGIT, asciiDigitOf);
