import { toNormalForm } from '@atrium/proto-events/text/normal-form';
import { hasVisibleText, toOneLine } from '@atrium/proto-events/text/normalize';
import { countChars, truncate } from '@atrium/proto-events/text-length';

const MAX_LENGTH = 255;

/** Returns the name on one line, without path and invisible characters, and with at most 255 characters. */
export function cleanFileName(fileName: string | undefined): string {
  const composed = toNormalForm((fileName ?? '').toWellFormed(), 'NFC');
  const base = composed.split(/[\\/]/).at(-1) ?? '';
  // Invisible characters may separate two spaces.
  const name = toOneLine(visibleName(toOneLine(base)));
  if (!hasVisibleText(name) || /^\.+$/.test(name)) return 'file';
  if (countChars(name) <= MAX_LENGTH) return name;
  const extension = extensionOf(name);
  const suffix = extension === '' ? '' : `.${extension}`;
  // Truncation may leave a trailing joiner or space.
  return visibleName(truncate(name, MAX_LENGTH - suffix.length)) + suffix;
}

/** Returns the extension in lowercase, or an empty string if there is no plausible one. */
export function extensionOf(name: string): string {
  return /[^.]\.([A-Za-z0-9]{1,10})$/.exec(name)?.[1]?.toLowerCase() ?? '';
}

/** Control characters, bidirectional controls (UAX #9), and format characters without meaning in a name. */
const INVISIBLE =
  /[\p{Cc}\p{Bidi_Control}\u00ad\u200b\u2060-\u2064\u206a-\u206f\ufeff\ufff9-\ufffb]|\u{e0001}|(?<!\p{M})\u034f|\u034f(?!\p{M})/gu;

/** Scripts with cursive joining, where joiners select letter forms (UAX #31, 2.3; RFC 5892, A.1). */
const JOINING = ['Arab', 'Syrc', 'Mong', 'Nkoo', 'Mand', 'Phag', 'Mani', 'Adlm', 'Rohg', 'Sogd', 'Phlp']
  .map((script) => `\\p{sc=${script}}`)
  .join('');
const JOINING_BEFORE = new RegExp(`[${JOINING}]\\p{M}{0,15}$`, 'u');
const JOINING_AFTER = new RegExp(`^\\p{M}*[${JOINING}]`, 'u');

/** Canonical combining class 9, which forms conjuncts (RFC 5892, A.1 and A.2). */
const VIRAMAS =
  '\\u094d\\u09cd\\u0a4d\\u0acd\\u0b4d\\u0bcd\\u0c4d\\u0ccd\\u0d3b\\u0d3c\\u0d4d\\u0dca\\u0e3a\\u0eba\\u0f84\\u1039\\u103a' +
  '\\u1714\\u1715\\u1734\\u17d2\\u1a60\\u1b44\\u1baa\\u1bab\\u1bf2\\u1bf3\\u2d7f\\ua806\\ua82c\\ua8c4\\ua953\\ua9c0\\uaaf6\\uabed' +
  '\\u{10a3f}\\u{11046}\\u{11070}\\u{1107f}\\u{110b9}\\u{11133}\\u{11134}\\u{111c0}\\u{11235}\\u{112ea}\\u{1134d}\\u{113ce}-\\u{113d0}' +
  '\\u{11442}\\u{114c2}\\u{115bf}\\u{1163f}\\u{116b6}\\u{1172b}\\u{11839}\\u{1193d}\\u{1193e}\\u{119e0}\\u{11a34}\\u{11a47}\\u{11a99}' +
  '\\u{11c3f}\\u{11d44}\\u{11d45}\\u{11d97}\\u{11f41}\\u{11f42}\\u{1612f}';
const VIRAMA_BEFORE = new RegExp(`[${VIRAMAS}]$`, 'u');
const VIRAMA_AFTER = new RegExp(`^[${VIRAMAS}]`, 'u');
const LETTER_BEFORE = /\p{L}\p{M}{0,15}$/u;

/** An element of an emoji ZWJ sequence (UTS #51, ED-15a and ED-16). */
const EMOJI_BEFORE = /(?:\p{Extended_Pictographic}\ufe0f?|\p{Emoji_Modifier}|[\u{e0020}-\u{e007e}]\u{e007f})$/u;
const EMOJI_AFTER = /^\p{Extended_Pictographic}/u;

const JOINERS = /[\u200c\u200d]+/gu;
const ZERO_WIDTH_JOINER = '\u200d';
/** Tag characters outside of flag sequences (UTS #51, ED-14a). */
const UNPAIRED_TAGS =
  /(\p{Extended_Pictographic}[\ufe0f\p{Emoji_Modifier}]?[\u{e0020}-\u{e007e}]+\u{e007f})|[\u{e0020}-\u{e007f}]/gu;

/** Removes invisible characters, except joiners that a script or an emoji sequence uses. May return an empty string. */
export const visibleName = (text: string): string =>
  text
    .replace(INVISIBLE, '')
    .replace(UNPAIRED_TAGS, (_tag, flag: string | undefined) => flag ?? '')
    .replace(JOINERS, (joiners, index: number, name: string) => {
      const joiner = joiners.charAt(0);
      return isUsed(joiner, name.slice(0, index), name.slice(index + joiners.length)) ? joiner : '';
    })
    .trim();

/** UTF-16 units: a letter with its marks, or an emoji with its modifier. */
const CONTEXT_UNITS = 16;

function isUsed(joiner: string, before: string, after: string): boolean {
  const precedingContext = before.slice(-CONTEXT_UNITS);
  const followingContext = after.slice(0, CONTEXT_UNITS);
  if (VIRAMA_BEFORE.test(precedingContext)) return true;
  if (LETTER_BEFORE.test(precedingContext) && VIRAMA_AFTER.test(followingContext)) return true;
  if (joiner !== ZERO_WIDTH_JOINER)
    return JOINING_BEFORE.test(precedingContext) && JOINING_AFTER.test(followingContext);
  // A single letter may be drawn in a joining form, as in abbreviations.
  return (
    JOINING_BEFORE.test(precedingContext) ||
    JOINING_AFTER.test(followingContext) ||
    (EMOJI_BEFORE.test(precedingContext) && EMOJI_AFTER.test(followingContext))
  );
}
