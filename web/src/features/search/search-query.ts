import type { SearchType } from '@atrium/proto-events/http/search/everything';
import { hasMessageOperators } from '@atrium/proto-events/text/message-query';
import { SEARCH_TYPES, TYPE_LABELS } from './result.ts';

const TYPE_OPERATOR = /(?:^|\s)type:(\S+)/giu;

/** What to search for: the query without `type:`, and the type that it names (`type:task`, `type:tasks`). */
export type SearchQuery = { text: string; type: SearchType | undefined };

/** Of several types, the last one applies. An unknown type is a word like others. */
export function parseSearchQuery(query: string): SearchQuery {
  let type: SearchType | undefined;
  const text = query.replace(TYPE_OPERATOR, (operator, name: string) => {
    const named = findType(name);
    type = named ?? type;
    return named ? ' ' : operator;
  });
  return { text: text.replace(/\s+/gu, ' ').trim(), type };
}

function findType(name: string): SearchType | undefined {
  const lowercase = name.toLowerCase();
  return SEARCH_TYPES.find((type) => type === lowercase || TYPE_LABELS[type].toLowerCase() === lowercase);
}

/** The types that can match. */
export function searchedTypes({ text, type }: SearchQuery): readonly SearchType[] {
  if (type) return [type];
  return hasMessageOperators(text) ? ['message'] : SEARCH_TYPES;
}
