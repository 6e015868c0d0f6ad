import { countChars } from '../text-length.ts';

/** At most `max` characters of a text, by `lengthOf`, without a part of what a reader sees as one character (UAX #29). */
export function truncate(text: string, max: number): string {
  if (text.length <= max || countChars(text) <= max) return text;
  let cut = '';
  let left = max;
  for (const { segment } of new Intl.Segmenter().segment(text)) {
    left -= countChars(segment);
    if (left < 0) break;
    cut += segment;
  }
  // One letter may have more marks than there is room for.
  return cut === '' ? [...text].slice(0, max).join('') : cut;
}
