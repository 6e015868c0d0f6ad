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
  file_names: string[];
  reaction_count: number;
  is_in_thread: boolean;
  is_pinned: boolean;
};

/** Returns the column `search` of an entry. */
export function toSearchDocument(message: SearchedMessage): string {
  const texts = [withoutMentions(message.content), ...message.file_names].map(toTerms);
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

/** Returns the pairs of neighbors in scripts without spaces, which are rarer than single characters. */
function toPairs(terms: readonly string[]): string[] {
  const areSpaceless = terms.map(isSpaceless);
  return terms.flatMap((term, index) =>
    areSpaceless[index] && areSpaceless[index + 1] ? [`${term}${terms[index + 1]}`] : [],
  );
}

/** Returns the text that an entry must contain. */
export const toNeedleText = ({ terms, isPrefix }: Needle): string => ` ${terms.join(' ')}${isPrefix ? '' : ' '}`;

/** Stands for the number of the conversation in a `tsquery`. */
export const NUMBER_PLACEHOLDER = '#';

const toKey = (term: string) => `'${NUMBER_PLACEHOLDER}/${term}'`;

/** Returns a `tsquery` with a placeholder, which each entry with the needle matches. */
export function toNeedleKeys({ terms, isPrefix }: Needle): string {
  const pairs = toPairs(terms);
  // A character that is part of a pair adds nothing to it.
  const words = terms.filter((term) => pairs.length === 0 || !isSpaceless(term));
  const last = terms.at(-1);
  const keys = words.map((term) => (isPrefix && term === last ? `${toKey(term)}:*` : toKey(term)));
  return [...keys, ...pairs.map(toKey)].join(' & ');
}

/** Returns a `tsquery` with a placeholder for any of the terms. */
export const toAnyKey = (terms: readonly string[]): string => `(${terms.map(toKey).join(' | ')})`;
