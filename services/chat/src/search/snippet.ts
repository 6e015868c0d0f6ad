import type { Message } from '@atrium/proto-events/http/chat/messages';
import type { Snippet } from '@atrium/proto-events/http/found';
import { makeExcerpt, type Span } from '@atrium/proto-events/text/excerpt';
import { eachTerm, type LocatedTerms, type TermLocator } from '@atrium/proto-events/text/locate-terms';
import { findMentions } from '@atrium/proto-events/text/mentions';
import type { QueryPart } from '@atrium/proto-events/text/message-query';
import { isNeedleAt, type Needle, toNeedle } from '@atrium/proto-events/text/message-terms';

/** Each is compared with every term of a message. */
const MAX_NEEDLES = 20;

type SnippetSource = Text & { forwarded?: Text | null };
type Text = Pick<Message, 'content' | 'mentions'>;

/** Returns the part of the content, and of what it forwards, around the first match. If only the name of a file matches, that is the start. */
export function makeSnippet(message: SnippetSource, parts: readonly QueryPart[], locate: TermLocator): Snippet {
  const text = [message, message.forwarded]
    .flatMap((source) => (source ? toPlainText(source) : []))
    .filter((part) => part !== '')
    .join(' ');
  const terms = locate(text);
  const needles = listNeedles(parts);
  return makeExcerpt(text, (range) => findMatches(terms, needles, range));
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

/** Finds the matches that begin in an excerpt, in order. */
function* findMatches(located: LocatedTerms, needles: readonly Needle[], excerpt: Span): Generator<Span, undefined> {
  const terms = { at: (index: number) => located.at(index)?.term };
  for (const [index, { start, end }] of eachTerm(located, excerpt))
    for (const needle of needles)
      if (isNeedleAt(terms, needle, index))
        yield { start, end: located.at(index + needle.terms.length - 1)?.end ?? end };
}
