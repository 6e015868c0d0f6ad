import { likePattern } from '@atrium/service-kit/postgres';

/** Collects the values of one statement; `add` answers the parameter that stands for a value. */
export function sqlValues() {
  const values: unknown[] = [];
  return {
    values,
    add(value: unknown): string {
      values.push(value);
      return `$${values.length}`;
    },
  };
}

export type SqlValues = ReturnType<typeof sqlValues>;

/** The condition that a part of `text` is this, taken literally and without regard to case. */
export function contains(text: string, search: string, values: SqlValues): string {
  // Fewer than three letters are no trigram: the index would have to be read as a whole, which takes longer than the rows.
  if (search.length < 3) return `strpos(${text}, lower(${values.add(search)})) > 0`;
  return `${text} like lower(${values.add(likePattern(search))})`;
}

/** Whether a due day is before `today`, a parameter of the form YYYY-MM-DD: days are stored as their first moment in UTC. */
export const isPastDue = (column: string, today: string) => `${column} < ${today}::date::timestamp at time zone 'UTC'`;

type Apart = {
  select: string;
  fixed: string[];
  statuses: readonly string[];
  priorities: readonly string[];
  order: string;
  /** How many of each are enough: the rows of the page and all before it. */
  enough: string;
};

/**
 * Each status and priority asked for apart: an index that leads with the two has each of these sets in the order of the list, so that
 * nothing is read but the first rows of each, however many fit the filter.
 */
export function apart({ select, fixed, statuses, priorities, order, enough }: Apart, values: SqlValues): string {
  return statuses
    .flatMap((status) =>
      priorities.map((priority) => {
        const one = [...fixed, `status = ${values.add(status)}`, `priority = ${values.add(priority)}`];
        return `(${select} where ${one.join(' and ')} order by ${order} limit ${enough})`;
      }),
    )
    .join(' union all ');
}

export type Limits = { limit: string; offset: string };

export const addLimits = (page: { limit: number; offset: number }, values: SqlValues): Limits => ({
  limit: `${values.add(page.limit)}::integer`,
  offset: `${values.add(page.offset)}::integer`,
});

/** A page of `listed`. A plan for any values takes a page for a tenth of everything: the fixed limit tells it better. */
export const pageOf = (order: string, { limit, offset }: Limits, largest = LARGEST_PAGE) =>
  `select * from (select * from listed as page order by ${order} limit ${limit} offset ${offset}) as page limit ${largest}`;

const LARGEST_PAGE = 100;
