import type { Message } from '@atrium/proto-events/http/chat/messages';
import type { Snippet } from '@atrium/proto-events/http/chat/search';
import { findMentions } from '@atrium/proto-events/text/mentions';
import type { QueryPart } from '@atrium/proto-events/text/message-query';
import { isNeedleAt, type Needle, toNeedle, toTerms } from '@atrium/proto-events/text/message-terms';
import { toSearchTerms } from '@atrium/proto-events/text/search';

const CONTEXT_BEFORE_LENGTH = 60;
const SNIPPET_LENGTH = 240;
/** Each is compared with every term of a message. */
const MAX_NEEDLES = 20;

type Span = { start: number; end: number };

type SnippetSource = Text & { forwarded?: Text | null };
type Text = Pick<Message, 'content' | 'mentions'>;

/** Returns the part of the content, and of what it forwards, around the first match. If only the name of a file matches, that is the start. */
export function makeSnippet(message: SnippetSource, parts: readonly QueryPart[]): Snippet {
  const text = [message, message.forwarded]
    .flatMap((source) => (source ? toPlainText(source) : []))
    .filter((part) => part !== '')
    .join(' ');
  const terms = locateTerms(text);
  const needles = listNeedles(parts);
  const excerpt = chooseExcerpt(text, findMatches(terms, needles).next().value);
  const snippet = split(text, merge(findMatches(terms, needles, excerpt)), excerpt);
  if (excerpt.start > 0) snippet.unshift({ text: '… ', match: false });
  if (excerpt.end < text.length) snippet.push({ text: ' …', match: false });
  return snippet;
}

/** Returns the first words and phrases of a query, each once. */
function listNeedles(parts: readonly QueryPart[]): Needle[] {
  const needles = parts.flatMap((part) => (part.kind === 'text' && !part.isExcluded ? (toNeedle(part) ?? []) : []));
  const unique = new Map(needles.map((needle) => [JSON.stringify(needle), needle]));
  return [...unique.values()].slice(0, MAX_NEEDLES);
}

/** Writes users by their names. Lines stay, because markup depends on them. */
function toPlainText({ content, mentions }: Text): string {
  const names = new Map(
    mentions.users.map(({ _id, firstName, lastName }) => [_id, `@${firstName} ${lastName}`.trim()]),
  );
  let text = content;
  for (const { at, text: token, kind, ...mention } of findMentions(content).toReversed()) {
    const name = 'id' in mention ? (names.get(mention.id) ?? '') : `@${kind}`;
    text = text.slice(0, at) + name + text.slice(at + token.length);
  }
  return text.replace(/\s+/gu, (space) => (space.includes('\n') ? '\n' : ' ')).trim();
}

/** Includes characters that folding drops, so that a word is one. */
const WORDS = /[\p{L}\p{M}\p{N}\p{Default_Ignorable_Code_Point}]+|[\p{So}\p{Sc}%‰]/gu;

type LocatedTerm = Span & { term: string };

/** Returns the terms of a text with their positions: words, and each character of a script without spaces. */
function locateTerms(text: string): LocatedTerm[] {
  return [...text.matchAll(WORDS)].flatMap(({ index, 0: word }) => {
    const runs = foldWord(word).isMixed ? splitRuns(word) : [{ text: word, at: 0 }];
    return runs.flatMap((run) =>
      foldWord(run.text).terms.map((term) => ({
        term,
        start: index + run.at,
        end: index + run.at + run.text.length,
      })),
    );
  });
}

/** `isMixed` is whether it has characters of a script without spaces. */
type FoldedWord = { terms: readonly string[]; isMixed: boolean };

/** Folding takes most of the time, and messages repeat words and characters. */
const foldedByWord = new Map<string, FoldedWord>();
const MAX_FOLDED = 20_000;
const MAX_FOLDED_LENGTH = 32;

function foldWord(word: string): FoldedWord {
  const known = foldedByWord.get(word);
  if (known) return known;
  const folded = { terms: toTerms(word), isMixed: toSearchTerms(word).some(({ isSpaceless }) => isSpaceless) };
  if (foldedByWord.size >= MAX_FOLDED) foldedByWord.clear();
  if (word.length <= MAX_FOLDED_LENGTH) foldedByWord.set(word, folded);
  return folded;
}

/** Splits a word into characters of scripts without spaces, and words of other scripts. */
function splitRuns(word: string): { text: string; at: number }[] {
  const runs: { text: string; at: number; isSpaceless: boolean }[] = [];
  let at = 0;
  for (const character of word) {
    const isSpaceless = foldWord(character).isMixed;
    const last = runs.at(-1);
    if (last && !last.isSpaceless && !isSpaceless) last.text += character;
    else runs.push({ text: character, at, isSpaceless });
    at += character.length;
  }
  return runs;
}

/** Finds the matches that begin in an excerpt, in order. */
function* findMatches(
  located: readonly LocatedTerm[],
  needles: readonly Needle[],
  excerpt: Span = { start: 0, end: Number.POSITIVE_INFINITY },
): Generator<Span, undefined> {
  const terms = located.map(({ term }) => term);
  for (const [index, { start, end }] of located.entries()) {
    if (start < excerpt.start) continue;
    if (start >= excerpt.end) return;
    for (const needle of needles)
      if (isNeedleAt(terms, needle, index)) yield { start, end: located[index + needle.terms.length - 1]?.end ?? end };
  }
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
