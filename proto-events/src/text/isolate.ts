// Blocks of right-to-left scripts (DerivedBidiClass.txt, default values R and AL).
const RIGHT_TO_LEFT = /[\u0590-\u08ff\u200f\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;
const ISOLATED = /\u2068([^\u2068\u2069]*)\u2069/g;

/**
 * Encloses text with right-to-left letters in U+2068 and U+2069 (UAX #9, 2.4.2), and returns other text unchanged.
 */
export function isolate(text: string): string {
  return RIGHT_TO_LEFT.test(text) ? `\u2068${text.replace(/[\u2066-\u2069]/g, '')}\u2069` : text;
}

/** Turns isolates into `bdi` elements. The text must be escaped. */
export const isolatesToHtml = (escapedText: string): string => escapedText.replace(ISOLATED, '<bdi>$1</bdi>');
