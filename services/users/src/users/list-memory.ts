import type { Queryable } from '@atrium/service-kit/postgres';
import { createMemory } from '@atrium/service-kit/remember';
import { countFound, findIds, readMarks } from './list-outlines.ts';
import { conditions, type UserFilter } from './user-filter.ts';

/** Where a list stands at one of its rows: what it is ordered by. */
export type Mark = { last: string; first: string; id: string };

/** Every how many rows a list has a mark. */
export const MARK_EVERY = 100;

/** Counts what a list could show: what was found out of one is true for as long as this stays. */
type Dated = { generation: number };

/** What a search finds: how many, and who, in the list's order, unless they are very many. */
export type Found = Dated & { total: number; ids: string[] | undefined };
export type Marks = Dated & { marks: Mark[] };

/** What is known of some lists of people. What is not of the given generation is found out anew. */
export type ListMemory = {
  found(filter: UserFilter, generation?: number): Promise<Found>;
  /** The rows 0, 100, 200 … of a list, so that a deep page is read from near by. */
  marks(filter: UserFilter, generation?: number): Promise<Marks>;
};

/** More than these are no search that somebody pages through. */
const MOST_IDS = 2_000;
const MOST_SEARCHES = 100;
const MOST_MARKED = 50;

export function createListMemory(db: Queryable): ListMemory {
  const searches = createMemory<Found>(MOST_SEARCHES);
  const marked = createMemory<Marks>(MOST_MARKED);
  const find = async (filter: UserFilter) => {
    const few = await findIds(db, filter, MOST_IDS);
    return few ?? { ...(await countFound(db, filter)), ids: undefined };
  };
  return {
    found: (filter, generation) => searches(keyOf(filter), () => find(filter), generation),
    marks: (filter, generation) => marked(keyOf(filter), () => readMarks(db, filter, MARK_EVERY), generation),
  };
}

const keyOf = (filter: UserFilter) => JSON.stringify(conditions(filter));
