// Browsers import this module, so it has no schemas.

import { findMentions } from './mentions.ts';
import type { QueryPart } from './message-query.ts';
import { type SearchTerm, toSearchTerms } from './search.ts';

/** Longer words are compared by their beginning. */
const MAX_TERM_LENGTH = 64;

const shorten = (word: string) => [...word].slice(0, MAX_TERM_LENGTH).join('');

/** Returns each character of a script without spaces, or the word. */
export const expandTerm = ({ word, isSpaceless }: SearchTerm): string[] => (isSpaceless ? [...word] : [shorten(word)]);

/** Returns the folded words of a text, and each character of a script without spaces. */
export const toTerms = (text: string): string[] => toSearchTerms(text).flatMap(expandTerm);

/** Replaces the mentions in the content of a message, which are ids, with spaces. */
export function withoutMentions(content: string): string {
  let text = '';
  let end = 0;
  for (const { at, text: token } of findMentions(content)) {
    text += content.slice(end, at) + ' '.repeat(token.length);
    end = at + token.length;
  }
  return text + content.slice(end);
}

/** Terms to find next to each other. The last one is the beginning of a word, unless the phrase is quoted. */
export type Needle = { terms: string[]; isPrefix: boolean };

/** Returns undefined for punctuation, which matches nothing. */
export function toNeedle({ text, isQuoted }: { text: string; isQuoted: boolean }): Needle | undefined {
  const terms = toTerms(text);
  return terms.length === 0 ? undefined : { terms, isPrefix: !isQuoted };
}

type Terms = { at(index: number): string | undefined };

/** Whether a needle begins at this position of terms. Compares without a callback, because a query compares thousands. */
export function isNeedleAt(terms: Terms, { terms: sought, isPrefix }: Needle, start: number): boolean {
  const last = sought.length - 1;
  for (let index = 0; index < last; index += 1) if (terms.at(start + index) !== sought[index]) return false;
  const [found, term] = [terms.at(start + last), sought[last] ?? ''];
  return isPrefix ? found?.startsWith(term) === true : found === term;
}

/**
 * Whether the words and phrases of a query match the texts of a message: its content and the names of its files.
 * Operators are not considered.
 */
export function matchesTexts(texts: readonly string[], parts: readonly QueryPart[]): boolean {
  const allTerms = texts.map(toTerms);
  return parts.every((part) => {
    const needle = part.kind === 'text' ? toNeedle(part) : undefined;
    return (
      !needle || allTerms.some((terms) => terms.some((_term, at) => isNeedleAt(terms, needle, at))) !== part.isExcluded
    );
  });
}
