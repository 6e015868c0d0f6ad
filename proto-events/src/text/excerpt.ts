const CONTEXT_BEFORE_LENGTH = 60;
const SNIPPET_LENGTH = 240;

export type Span = { start: number; end: number };

/** A part of a text, and whether a query matches it. */
export type MarkedText = { text: string; match: boolean };

const WHOLE: Span = { start: 0, end: Number.POSITIVE_INFINITY };

/**
 * Returns the part of a text around the first match, or its start. `findMatches` yields the matches that begin in a
 * range, in order.
 */
export function makeExcerpt(text: string, findMatches: (range: Span) => Iterable<Span>): MarkedText[] {
  const excerpt = chooseExcerpt(text, firstOf(findMatches(WHOLE)));
  const marked = split(text, merge(findMatches(excerpt)), excerpt);
  if (excerpt.start > 0) marked.unshift({ text: '… ', match: false });
  if (excerpt.end < text.length) marked.push({ text: ' …', match: false });
  return marked;
}

function firstOf(spans: Iterable<Span>): Span | undefined {
  for (const span of spans) return span;
  return undefined;
}

function merge(spans: Iterable<Span>): Span[] {
  const merged: Span[] = [];
  for (const span of spans) {
    const last = merged.at(-1);
    if (last && span.start <= last.end) last.end = Math.max(last.end, span.end);
    else merged.push({ ...span });
  }
  return merged;
}

/** Begins and ends between words. */
function chooseExcerpt(text: string, first: Span | undefined): Span {
  const earliest = Math.max(0, (first?.start ?? 0) - CONTEXT_BEFORE_LENGTH);
  const start = earliest === 0 ? 0 : skipWord(text, earliest, first?.start ?? earliest);
  const latest = start + SNIPPET_LENGTH;
  if (text.length <= latest) return { start, end: text.length };
  const end = Math.max(text.lastIndexOf(' ', latest), text.lastIndexOf('\n', latest));
  return { start, end: end > (first?.end ?? start) ? end : alignEnd(text, latest) };
}

function skipWord(text: string, at: number, latest: number): number {
  const space = text.slice(at, latest).search(/\s/u);
  return space >= 0 ? at + space + 1 : latest;
}

const GRAPHEMES = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

const alignEnd = (text: string, at: number) => GRAPHEMES.segment(text).containing(at)?.index ?? at;

function split(text: string, matches: readonly Span[], { start, end }: Span): MarkedText[] {
  const marked: MarkedText[] = [];
  let at = start;
  const push = (until: number, match: boolean) => {
    if (until > at) marked.push({ text: text.slice(at, until), match });
    at = Math.max(at, until);
  };
  for (const span of matches.filter((span) => span.end > start && span.start < end)) {
    push(Math.max(span.start, start), false);
    push(Math.min(span.end, end), true);
  }
  push(end, false);
  return marked;
}
