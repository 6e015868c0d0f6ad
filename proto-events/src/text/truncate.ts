import { countChars } from '../text-length.ts';

/** At most `max` characters of a text, by `countChars`, without splitting a grapheme cluster (UAX #29). */
export function truncate(text: string, max: number): string {
  if (text.length <= max || countChars(text) <= max) return text;
  let cut = '';
  let left = max;
  for (const { segment } of new Intl.Segmenter().segment(text)) {
    left -= countChars(segment);
    if (left < 0) break;
    cut += segment;
  }
  // A single grapheme cluster can exceed the limit.
  return cut === '' ? [...text].slice(0, max).join('') : cut;
}
