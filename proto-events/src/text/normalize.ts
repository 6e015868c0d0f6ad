import { toNormalForm } from './normal-form.ts';

/**
 * Invisible characters: by Unicode property, format characters other than the visible prepended signs, and letters
 * and symbols whose glyph is blank by definition (Braille blank, null notehead, hieroglyphic blanks, Khitan filler).
 */
const INVISIBLE =
  '\\p{White_Space}\\p{Default_Ignorable_Code_Point}\\p{Cc}\\p{Cs}\\p{Noncharacter_Code_Point}' +
  '\\ufff9-\\ufffb\\u2800\\u{1d159}\\u{13430}-\\u{1343f}\\u{13441}\\u{13442}\\u{16fe4}';

/** Matches text with at least one visible character; uses the `u` flag, as JSON Schema does. */
export const visible = new RegExp(`[^${INVISIBLE}]`, 'u');

/**
 * Excludes white space, which separates words, and control characters and noncharacters, which invalidate an address.
 */
const STRIPPED = new RegExp(
  `(?![\\p{White_Space}\\p{Cc}\\p{Cs}\\p{Noncharacter_Code_Point}])[\\p{Cf}${INVISIBLE}]`,
  'gu',
);

/** Removes invisible characters except white space and control characters. */
export const stripInvisible = (text: string): string => text.replace(STRIPPED, '');

export const hasVisibleText = (text: string): boolean => visible.test(text);

const BLANK = /[\p{White_Space}\u200b\u2060\ufeff]/u;
const LONE_SURROGATES = /\p{Cs}/gu;
/** White_Space includes U+2028 and U+2029. */
const BREAKS_AND_BLANKS = /[\p{Cc}\p{White_Space}]+/gu;
const BIDI_CONTROLS = /\p{Bidi_Control}/gu;

/** Scans from the ends: a regular expression would backtrack at each inner blank. */
function trimBlanks(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && BLANK.test(text.charAt(start))) start += 1;
  while (end > start && BLANK.test(text.charAt(end - 1))) end -= 1;
  return text.slice(start, end);
}

/** Applies NFC and Stream-Safe Text Format, and replaces lone surrogates, which UTF-8 cannot represent. */
export const composeText = (text: string): string => toNormalForm(text.replace(LONE_SURROGATES, '\ufffd'), 'NFC');

/** Composes and trims text. Idempotent. */
export const normalizeText = (text: string): string => trimBlanks(composeText(text));

/** Removes the characters that change the direction of the text around a name (UAX #9, Bidi_Control). */
const stripBidiControls = (name: string): string => name.replace(BIDI_CONTROLS, '');

/** Replaces runs of white space and control characters, including line and paragraph separators, with one space. */
export const toOneLine = (text: string): string => text.replace(BREAKS_AND_BLANKS, ' ');

/** Normalizes a name to one line without bidirectional control characters. Idempotent. */
export const normalizeName = (name: string): string => normalizeText(toOneLine(stripBidiControls(name)));
