import type { Snippet } from '@atrium/proto-events/http/documents';
import { foldInPlace, needlesOf, symbolsOf } from '../text-index/terms.ts';
import type { Excerpt } from './snippet-repository.ts';

/** An excerpt for display: one line of whole words, with the positions of the matches. */
export function makeSnippet({ text, isBegun, isEnded }: Excerpt, search: string): Snippet {
  let line = text;
  if (isBegun) line = `… ${line.replace(/^\S{0,40}\s+/, '')}`;
  if (isEnded) line = `${line.replace(/(?<!\s)\s+\S{0,40}$/, '')} …`;
  line = line.replace(/\s+/g, ' ').trim();
  return { text: line, marks: marksOf(line, search) };
}

const GRAPHEMES = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

/** Positions of matches, without nested ones; a mark covers whole grapheme clusters. */
function marksOf(line: string, search: string): Snippet['marks'] {
  // Same length as the line, even for two-unit characters, so that positions stay valid.
  const plain = line.replace(/[^\p{L}\p{N}\p{M}]/gu, (sign) => ' '.repeat(sign.length));
  const folded = ` ${foldInPlace(plain)}`;
  const found = needlesOf(search).flatMap((needle) => {
    const spaces = needle.startsWith(' ') ? 1 : 0;
    return placesOf(folded, needle).map((at) => ({ start: at + spaces - 1, end: at + needle.length - 1 }));
  });
  const symbols = symbolsOf(search).flatMap((symbol) =>
    placesOf(line, symbol).map((at) => ({ start: at, end: at + symbol.length })),
  );
  const graphemes = GRAPHEMES.segment(line);
  const whole = [...found, ...symbols].map(({ start, end }) => {
    const last = graphemes.containing(end - 1);
    return { start: graphemes.containing(start)?.index ?? start, end: last ? last.index + last.segment.length : end };
  });
  const sorted = whole.toSorted((a, b) => a.start - b.start || b.end - a.end);
  let end = 0;
  return sorted.filter((mark) => {
    if (mark.start < end) return false;
    end = mark.end;
    return true;
  });
}

function placesOf(text: string, needle: string): number[] {
  const places: number[] = [];
  for (let at = text.indexOf(needle); at >= 0; at = text.indexOf(needle, at + needle.length)) places.push(at);
  return places;
}
