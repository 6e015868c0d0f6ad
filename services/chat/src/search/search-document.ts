import { findWebAddresses } from '@atrium/proto-events/links';
import { type Needle, toTerms, withoutMentions } from '@atrium/proto-events/text/message-terms';
import { isSpaceless } from '@atrium/proto-events/text/search';

/** What a search entry contains besides words. No word has these signs. */
export const senderTerm = (userId: string) => `@${userId}`;
export const flagTerm = (flag: Flag) => `:${flag}`;
export type Flag = 'file' | 'link' | 'reaction' | 'thread' | 'pinned';

/** Between texts, so that no phrase extends over two. `search_keys` leaves it out. */
const SEPARATOR = ' | ';

export type SearchedMessage = {
  sender_id: string;
  content: string;
  /** Of the message that it forwards. */
  forwarded_content: string | null;
  file_names: string[];
  reaction_count: number;
  is_in_thread: boolean;
  is_pinned: boolean;
};

/** Returns the column `search` of an entry. */
export function toSearchDocument(message: SearchedMessage): string {
  const contents = [message.content, message.forwarded_content ?? ''].map(withoutMentions);
  const texts = [...contents, ...message.file_names].map(toTerms);
  const parts = [
    ...texts.map((terms) => terms.join(' ')),
    texts.flatMap(toPairs).join(' '),
    toFacts(message).join(' '),
  ];
  return ` ${parts.filter((part) => part !== '').join(SEPARATOR)} `;
}

function toFacts(message: SearchedMessage): string[] {
  const flags: Record<Flag, boolean> = {
    file: message.file_names.length > 0,
    link: findWebAddresses(message.content).length > 0,
    reaction: message.reaction_count > 0,
    thread: message.is_in_thread,
    pinned: message.is_pinned,
  };
  const present = (Object.keys(flags) as Flag[]).filter((flag) => flags[flag]);
  return [senderTerm(message.sender_id), ...present.map(flagTerm)];
}

/** The most common words of most languages are not longer. */
const MAX_SHORT_LENGTH = 3;
const isShort = (term: string) => term.length <= MAX_SHORT_LENGTH;

/**
 * Returns the key of two neighbors of which each alone would be too common to find a phrase by: short words, and characters
 * of scripts without spaces. That of words begins with a sign, so that no beginning of a word finds it.
 */
function toPair(term: string, next: string | undefined): string | undefined {
  if (next === undefined || isSpaceless(term) !== isSpaceless(next)) return undefined;
  if (isSpaceless(term)) return term + next;
  return isShort(term) && isShort(next) ? `+${term}+${next}` : undefined;
}

const toPairs = (terms: readonly string[]): string[] =>
  terms.flatMap((term, index) => toPair(term, terms[index + 1]) ?? []);

/** Returns the text that an entry must contain. */
export const toNeedleText = ({ terms, isPrefix }: Needle): string => ` ${terms.join(' ')}${isPrefix ? '' : ' '}`;

/** Stands for the number of the conversation in a `tsquery`. */
export const NUMBER_PLACEHOLDER = '#';

const toKey = (term: string) => `'${NUMBER_PLACEHOLDER}/${term}'`;

/** Returns a `tsquery` with a placeholder, which each entry with the needle matches. */
export function toNeedleKeys({ terms, isPrefix }: Needle): string {
  const last = terms.length - 1;
  const isBeginning = (index: number) => isPrefix && index === last && !isSpaceless(terms[index] ?? '');
  const pairs = terms.map((term, index) => (isBeginning(index + 1) ? undefined : toPair(term, terms[index + 1])));
  const keys = terms.flatMap((term, index) => {
    const pair = pairs[index];
    if (pair !== undefined) return [toKey(pair)];
    // What is part of a pair adds nothing to it.
    if (pairs[index - 1] !== undefined) return [];
    return [isPrefix && index === last ? `${toKey(term)}:*` : toKey(term)];
  });
  return keys.join(' & ');
}

/** Returns a `tsquery` with a placeholder for any of the terms. */
export const toAnyKey = (terms: readonly string[]): string => `(${terms.map(toKey).join(' | ')})`;

/** The number of a half-year in UTC, as the function `search_period` of the database. */
export type Period = number;

const MONTHS_PER_PERIOD = 6;

export const toPeriod = (time: Date): Period =>
  (time.getUTCFullYear() - 2000) * 2 + Math.floor(time.getUTCMonth() / MONTHS_PER_PERIOD);

/** Returns the `tsquery` of all keys in any of the periods. */
export const toQueryOf = (periods: readonly Period[], keys: readonly string[]): string =>
  periods
    .map((period) => `(${keys.join(' & ').replaceAll(`${NUMBER_PLACEHOLDER}/`, `${NUMBER_PLACEHOLDER}.${period}/`)})`)
    .join(' | ');
