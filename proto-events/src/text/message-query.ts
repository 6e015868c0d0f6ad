// Browsers import this module, so it has no schemas.

/** What a message has, and what it is: the values of `has:` and `is:`. */
export const HAS_VALUES = ['file', 'link', 'reaction'] as const;
export const IS_VALUES = ['thread', 'pinned', 'saved'] as const;

export type Filter =
  /** Words next to each other: the last one may be the beginning of a word, except in a quoted phrase. */
  | { kind: 'text'; text: string; isQuoted: boolean }
  /** A user, also as `by:`, or a conversation or project: an id, a name, or one after `@` or `#`; `from:me` is the caller. */
  | { kind: 'from' | 'in'; value: string }
  /** A date (ISO 8601, `YYYY-MM-DD`) in the time zone of the caller. */
  | { kind: 'before' | 'after' | 'on'; date: string }
  | { kind: 'has'; value: (typeof HAS_VALUES)[number] }
  | { kind: 'is'; value: (typeof IS_VALUES)[number] };

/** A part of a query, with its position in the text. */
export type QueryPart = Filter & { isExcluded: boolean; start: number; end: number };

const QUOTES = '"“”„«»';
/** An operator may have a quoted value, as in `in:"design team"`. */
const PART = new RegExp(
  `(-?)(?:(from|by|in|before|after|on|has|is):)?(?:[${QUOTES}]([^${QUOTES}]*)[${QUOTES}]|[${QUOTES}]?([^\\s${QUOTES}]+))|[${QUOTES}]`,
  'giu',
);
const DATE = /^(\d{4})-(\d{2})-(\d{2})$/;

/**
 * Parses a query: words, `"phrases"`, operators such as `from:`, and any of them after `-`, which excludes
 * it. Everything is valid: an unknown operator, an invalid value, and an unclosed quote are words.
 */
export function parseMessageQuery(query: string): QueryPart[] {
  return [...query.matchAll(PART)].flatMap((match) => {
    const part = toPart(match);
    return part ? [{ ...part, start: match.index, end: match.index + match[0].length }] : [];
  });
}

/** Whether a query has operators that only messages support: `has:` and `is:`. */
export const hasMessageOperators = (query: string): boolean =>
  parseMessageQuery(query).some(({ kind }) => kind === 'has' || kind === 'is');

function toPart([source, sign, operator, quoted, bare]: RegExpMatchArray):
  | (Filter & { isExcluded: boolean })
  | undefined {
  const value = (quoted ?? bare ?? '').trim();
  if (value === '') return undefined;
  const isExcluded = sign === '-';
  const filter = operator === undefined ? undefined : toFilter(operator.toLowerCase(), value);
  if (filter) return { ...filter, isExcluded };
  if (operator === undefined) return { kind: 'text', text: value, isQuoted: quoted !== undefined, isExcluded };
  return { kind: 'text', text: source.slice(isExcluded ? 1 : 0), isQuoted: false, isExcluded };
}

const isOneOf = <T extends string>(values: readonly T[], value: string): value is T =>
  (values as readonly string[]).includes(value);

function toFilter(operator: string, value: string): Filter | undefined {
  const lowercase = value.toLowerCase();
  switch (operator) {
    case 'from':
    case 'by':
      return { kind: 'from', value };
    case 'in':
      return { kind: operator, value };
    case 'before':
    case 'after':
    case 'on':
      return isDate(value) ? { kind: operator, date: value } : undefined;
    case 'has':
      return isOneOf(HAS_VALUES, lowercase) ? { kind: 'has', value: lowercase } : undefined;
    default:
      return isOneOf(IS_VALUES, lowercase) ? { kind: 'is', value: lowercase } : undefined;
  }
}

/** Whether it is a day of the calendar, in the years 1000 to 9999. */
function isDate(text: string): boolean {
  const [, year, month, day] = DATE.exec(text) ?? [];
  if (year === undefined || year.startsWith('0')) return false;
  const date = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day)));
  return date.getUTCMonth() === Number(month) - 1 && date.getUTCDate() === Number(day);
}

/** Writes a filter as it is typed. Adds quotes around a value with spaces. */
export function formatFilter(filter: Filter): string {
  if (filter.kind === 'text') return filter.isQuoted ? `"${filter.text}"` : filter.text;
  const value = 'date' in filter ? filter.date : filter.value;
  return `${filter.kind}:${/\s/u.test(value) ? `"${value}"` : value}`;
}
