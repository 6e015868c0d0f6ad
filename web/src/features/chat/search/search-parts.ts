import { formatFilter, parseMessageQuery, type QueryPart } from '@atrium/proto-events/text/message-query';

/** A query as it is shown: operators as chips, and the rest in the field. */
export type ShownQuery = { filters: QueryPart[]; text: string };

export function splitQuery(query: string): ShownQuery {
  const filters = parseMessageQuery(query).filter(({ kind }) => kind !== 'text');
  let text = query;
  for (const { start, end } of filters.toReversed()) text = text.slice(0, start) + text.slice(end);
  return { filters, text: text.replace(/\s+/gu, ' ').trim() };
}

export const formatPart = (part: QueryPart): string => (part.isExcluded ? '-' : '') + formatFilter(part);

export const joinQuery = (filters: readonly QueryPart[], text: string): string =>
  [...filters.map(formatPart), text.trim()].filter((part) => part !== '').join(' ');

/** Returns what is being typed at the end of the text: the last part without spaces, after an optional `-`. */
export function lastToken(text: string): { sign: string; token: string; start: number } {
  const match = /(?:^|\s)(-?)(\S*)$/u.exec(text);
  const [, sign = '', token = ''] = match ?? [];
  return { sign, token, start: text.length - sign.length - token.length };
}
