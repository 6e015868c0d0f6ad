/**
 * Counts the characters of a text like JSON Schema (RFC 8259): an emoji is one character, though its `length` is two.
 */
export const countChars = (text: string): number => [...text].length;

/** Returns at most `max` characters of a text, by `countChars`, without splitting a grapheme cluster (UAX #29). */
export function truncate(text: string, max: number): string {
  if (text.length <= max || countChars(text) <= max) return text;
  let truncated = '';
  let remaining = max;
  for (const { segment } of new Intl.Segmenter().segment(text)) {
    remaining -= countChars(segment);
    if (remaining < 0) break;
    truncated += segment;
  }
  // A single grapheme cluster can exceed the limit.
  return truncated === '' ? [...text].slice(0, max).join('') : truncated;
}
