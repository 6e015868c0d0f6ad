import type { QueryPart } from '@atrium/proto-events/text/message-query';

/** The columns that operators compare: ids of users (`from:`) and of projects (`in:`), and times (`before:`). */
export type FilterColumns = { user?: string; project?: string; time?: string };

/** Replaces the values of operators by ids, and dates by times. */
export type FilterNames = {
  findUsers: (names: readonly string[]) => string[];
  findProjects: (names: readonly string[]) => string[];
  timeZone: string;
};

type Bind = (value: unknown) => string;
type DatePart = Extract<QueryPart, { date: string }>;

/** Returns the condition of the operators of a query. */
export type SearchFilter = (bind: Bind) => string;

/** Returns undefined if an operator does not apply to the columns. Several values of `from:` or `in:` are alternatives. */
export function createFilter(
  parts: readonly QueryPart[],
  columns: FilterColumns,
  names: FilterNames,
): SearchFilter | undefined {
  const filters: (SearchFilter | undefined)[] = [
    createIdFilter(listValues(parts, 'from'), columns.user, names.findUsers),
    createIdFilter(listValues(parts, 'in'), columns.project, names.findProjects),
  ];
  for (const part of parts) {
    if (part.kind === 'before' || part.kind === 'after' || part.kind === 'on')
      filters.push(createDateFilter(part, columns.time, names.timeZone));
    else if (part.kind === 'has' || part.kind === 'is') return undefined;
  }
  if (filters.includes(undefined)) return undefined;
  return (bind) => filters.map((filter) => filter?.(bind) ?? 'false').join(' and ');
}

type Values = { included: string[]; excluded: string[] };

function listValues(parts: readonly QueryPart[], kind: 'from' | 'in'): Values {
  const list = (isExcluded: boolean) => [
    ...new Set(parts.flatMap((part) => (part.kind === kind && part.isExcluded === isExcluded ? [part.value] : []))),
  ];
  return { included: list(false), excluded: list(true) };
}

/** Looks the names up once, since a statement may be built several times. */
function createIdFilter(
  { included, excluded }: Values,
  column: string | undefined,
  findIds: (names: readonly string[]) => string[],
): SearchFilter | undefined {
  if (included.length + excluded.length === 0) return () => 'true';
  if (column === undefined) return undefined;
  const [includedIds, excludedIds] = [findIds(included), findIds(excluded)];
  return (bind) => {
    const isIncluded = included.length === 0 ? 'true' : isAnyOf(column, includedIds, bind);
    return `(${isIncluded} and (${column} <> all(${bind(excludedIds)}::text[])) is not false)`;
  };
}

/** With a single value, PostgreSQL can read an index in order. */
const isAnyOf = (column: string, ids: readonly string[], bind: Bind): string =>
  ids.length === 1 ? `${column} = ${bind(ids[0])}::text` : `${column} = any(${bind(ids)}::text[])`;

function createDateFilter(
  part: DatePart & { isExcluded: boolean },
  column: string | undefined,
  timeZone: string,
): SearchFilter | undefined {
  if (column === undefined) return undefined;
  return (bind) => `${part.isExcluded ? 'not ' : ''}${dateCondition(column, part, { timeZone, bind })}`;
}

type DateOptions = { timeZone: string; bind: Bind };

/** Compares a time with a day of the calendar in the time zone. */
export function dateCondition(column: string, { kind, date }: DatePart, { timeZone, bind }: DateOptions): string {
  const day = `${bind(date)}::date`;
  const zone = bind(timeZone);
  const start = `(${day}::timestamp at time zone ${zone})`;
  const end = `((${day} + 1)::timestamp at time zone ${zone})`;
  if (kind === 'before') return `(${column} < ${start})`;
  return kind === 'after' ? `(${column} >= ${end})` : `(${column} >= ${start} and ${column} < ${end})`;
}
