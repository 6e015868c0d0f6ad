import { toNormalForm } from './normal-form.ts';

/**
 * A character that leaves nothing on the screen: by Unicode property, format characters other than the prepended signs that are drawn, and
 * the letters and symbols whose glyph is blank by definition (Braille blank, null notehead, hieroglyphic blanks, Khitan filler).
 */
const INVISIBLE =
  '\\p{White_Space}\\p{Default_Ignorable_Code_Point}\\p{Cc}\\p{Cs}\\p{Noncharacter_Code_Point}' +
  '\\ufff9-\\ufffb\\u2800\\u{1d159}\\u{13430}-\\u{1343f}\\u{13441}\\u{13442}\\u{16fe4}';

/** Matches text with at least one visible character; read with the `u` flag, as JSON schema does. */
export const visible = new RegExp(`[^${INVISIBLE}]`, 'u');

/** White space separates words; control characters and code points that are no characters make an address invalid. */
const STRIPPED = new RegExp(
  `(?![\\p{White_Space}\\p{Cc}\\p{Cs}\\p{Noncharacter_Code_Point}])[\\p{Cf}${INVISIBLE}]`,
  'gu',
);

/** Removes format characters and characters with a blank glyph; white space and control characters stay. */
export const stripInvisible = (text: string): string => text.replace(STRIPPED, '');

export const hasVisibleText = (text: string): boolean => visible.test(text);

const BLANK = /[\p{White_Space}\u200b\u2060\ufeff]/u;
const LONE_SURROGATES = /\p{Cs}/gu;
/** White_Space includes U+2028 and U+2029. */
const BREAKS_AND_BLANKS = /[\p{Cc}\p{White_Space}]+/gu;
const BIDI_CONTROLS = /\p{Bidi_Control}/gu;

/** Scans from the ends: a pattern for the trailing blanks would start again at each blank inside. */
function trimBlanks(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && BLANK.test(text.charAt(start))) start += 1;
  while (end > start && BLANK.test(text.charAt(end - 1))) end -= 1;
  return text.slice(start, end);
}

/** Text in NFC and Stream-Safe Text Format, without halves of surrogate pairs, which UTF-8 cannot hold. */
export const composeText = (text: string): string => toNormalForm(text.replace(LONE_SURROGATES, '\ufffd'), 'NFC');

/** Text as it is stored: composed, without outer blanks. Idempotent. */
export const normalizeText = (text: string): string => trimBlanks(composeText(text));

/** Removes the characters that change the direction of the text around a name (UAX #9, Bidi_Control). */
export const stripBidiControls = (name: string): string => name.replace(BIDI_CONTROLS, '');

/** Text on one line: a run of white space and control characters, line and paragraph separators among them, is one space. */
export const toOneLine = (text: string): string => text.replace(BREAKS_AND_BLANKS, ' ');

/** A name as it is stored: normalized, on one line, and unable to turn the direction of what surrounds it. Idempotent. */
export const normalizeName = (name: string): string => normalizeText(toOneLine(stripBidiControls(name)));
