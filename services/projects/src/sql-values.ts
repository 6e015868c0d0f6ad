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

/** The pattern for a part of a text, taken literally. */
export const patternOf = (search: string) => `%${search.replace(/[\\%_]/g, '\\$&')}%`;

/**
 * The same rows, each status and priority asked for apart: an index that leads with the two has each of these sets in the order of the
 * list, so that the database merges a page out of them instead of sorting everything that fits.
 */
export function apart(
  select: string,
  { fixed, statuses, priorities }: { fixed: string[]; statuses: readonly string[]; priorities: readonly string[] },
  values: SqlValues,
): string {
  return statuses
    .flatMap((status) =>
      priorities.map((priority) => {
        const one = [...fixed, `status = ${values.add(status)}`, `priority = ${values.add(priority)}`];
        return `${select} where ${one.join(' and ')}`;
      }),
    )
    .join(' union all ');
}
