import type { Queryable } from '@atrium/service-kit/postgres';
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

/** What is known of some lists of people. What is older than the given generation is found out anew. */
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
  return {
    found: remembering(MOST_SEARCHES, async (filter) => {
      const few = await findIds(db, filter, MOST_IDS);
      return few ?? { ...(await countFound(db, filter)), ids: undefined };
    }),
    marks: remembering(MOST_MARKED, (filter) => readMarks(db, filter, MARK_EVERY)),
  };
}

/** Keeps the latest answers, at most `most` of them; what is being asked already is not asked twice. */
function remembering<T extends Dated>(most: number, ask: (filter: UserFilter) => Promise<T>) {
  const known = new Map<string, Promise<T>>();
  return async (filter: UserFilter, generation = 0): Promise<T> => {
    const key = JSON.stringify(conditions(filter));
    const before = known.get(key);
    const found = await before?.catch(() => undefined);
    if (found && found.generation >= generation) return found;
    const current = known.get(key);
    if (current && current !== before) return current;
    const asked = ask(filter);
    known.delete(key);
    known.set(key, asked);
    if (known.size > most) known.delete(known.keys().next().value ?? '');
    return asked;
  };
}
