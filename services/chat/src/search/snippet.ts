import type { Message } from '@atrium/proto-events/http/chat-messages';
import type { Snippet } from '@atrium/proto-events/http/chat-search';
import { findMentions } from '@atrium/proto-events/text/mentions';
import type { QueryPart } from '@atrium/proto-events/text/message-query';
import { findNeedle, type Needle, toNeedle, toTerms } from '@atrium/proto-events/text/message-terms';
import { toSearchTerms } from '@atrium/proto-events/text/search';

const CONTEXT_BEFORE_LENGTH = 60;
const SNIPPET_LENGTH = 240;

type Span = { start: number; end: number };

/** Returns the part of the content around the first match. If only the name of a file matches, that is the start. */
export function makeSnippet(message: Pick<Message, 'content' | 'mentions'>, parts: readonly QueryPart[]): Snippet {
  const text = toPlainText(message);
  const needles = parts.flatMap((part) => (part.kind === 'text' && !part.isExcluded ? (toNeedle(part) ?? []) : []));
  const matches = findMatches(text, needles);
  const { start, end } = chooseExcerpt(text, matches[0]);
  const snippet = split(text, matches, { start, end });
  if (start > 0) snippet.unshift({ text: '… ', match: false });
  if (end < text.length) snippet.push({ text: ' …', match: false });
  return snippet;
}

/** Writes users by their names, and on one line. */
function toPlainText({ content, mentions }: Pick<Message, 'content' | 'mentions'>): string {
  const names = new Map(
    mentions.users.map(({ _id, firstName, lastName }) => [_id, `@${firstName} ${lastName}`.trim()]),
  );
  let text = content;
  for (const { at, text: token, kind, ...mention } of findMentions(content).toReversed()) {
    const name = 'id' in mention ? (names.get(mention.id) ?? '') : `@${kind}`;
    text = text.slice(0, at) + name + text.slice(at + token.length);
  }
  return text.replace(/\s+/gu, ' ').trim();
}

/** Includes characters that folding drops, so that a word is one. */
const WORDS = /[\p{L}\p{M}\p{N}\p{Default_Ignorable_Code_Point}]+|[\p{So}\p{Sc}%‰]/gu;

/** Returns the terms of a text with their positions: words, and each character of a script without spaces. */
function locateTerms(text: string): { term: string; start: number; end: number }[] {
  return [...text.matchAll(WORDS)].flatMap(({ index, 0: word }) => {
    const isMixed = toSearchTerms(word).some(({ isSpaceless }) => isSpaceless);
    return (isMixed ? splitRuns(word) : [{ text: word, at: 0 }]).flatMap((run) =>
      toTerms(run.text).map((term) => ({ term, start: index + run.at, end: index + run.at + run.text.length })),
    );
  });
}

/** Splits a word into characters of scripts without spaces, and words of other scripts. */
function splitRuns(word: string): { text: string; at: number }[] {
  const runs: { text: string; at: number; isSpaceless: boolean }[] = [];
  let at = 0;
  for (const character of word) {
    const isSpaceless = toSearchTerms(character)[0]?.isSpaceless ?? false;
    const last = runs.at(-1);
    if (last && !last.isSpaceless && !isSpaceless) last.text += character;
    else runs.push({ text: character, at, isSpaceless });
    at += character.length;
  }
  return runs;
}

function findMatches(text: string, needles: readonly Needle[]): Span[] {
  const located = locateTerms(text);
  const terms = located.map(({ term }) => term);
  const spans = needles.flatMap((needle) => {
    const found: Span[] = [];
    for (let at = findNeedle(terms, needle); at >= 0; at = findNeedle(terms, needle, at + 1)) {
      const last = located[at + needle.terms.length - 1];
      found.push({ start: located[at]?.start ?? 0, end: last?.end ?? 0 });
    }
    return found;
  });
  return merge(spans.toSorted((a, b) => a.start - b.start));
}

function merge(spans: readonly Span[]): Span[] {
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
  if (text.length <= start + SNIPPET_LENGTH) return { start, end: text.length };
  const end = text.lastIndexOf(' ', start + SNIPPET_LENGTH);
  return { start, end: end > (first?.end ?? start) ? end : alignEnd(text, start + SNIPPET_LENGTH) };
}

function skipWord(text: string, at: number, latest: number): number {
  const space = text.indexOf(' ', at);
  return space >= 0 && space < latest ? space + 1 : latest;
}

const GRAPHEMES = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

const alignEnd = (text: string, at: number) => GRAPHEMES.segment(text).containing(at)?.index ?? at;

function split(text: string, matches: readonly Span[], { start, end }: Span): Snippet {
  const snippet: Snippet = [];
  let at = start;
  const push = (until: number, match: boolean) => {
    if (until > at) snippet.push({ text: text.slice(at, until), match });
    at = Math.max(at, until);
  };
  for (const span of matches.filter((span) => span.end > start && span.start < end)) {
    push(Math.max(span.start, start), false);
    push(Math.min(span.end, end), true);
  }
  push(end, false);
  return snippet;
}
