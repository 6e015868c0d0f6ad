import { countChars } from '../text-length.ts';

/** At most `max` characters of a text, by `countChars`, without splitting a grapheme cluster (UAX #29). */
export function truncate(text: string, max: number): string {
  if (text.length <= max || countChars(text) <= max) return text;
  let kept = '';
  let remaining = max;
  for (const { segment } of new Intl.Segmenter().segment(text)) {
    remaining -= countChars(segment);
    if (remaining < 0) break;
    kept += segment;
  }
  // A single grapheme cluster can exceed the limit.
  return kept === '' ? [...text].slice(0, max).join('') : kept;
}
