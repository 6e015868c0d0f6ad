import type { Queryable } from '@atrium/service-kit/postgres';
import { conditions, type UserFilter } from './user-filter.ts';

/** Where a list stands at one of its rows: what it is ordered by. */
export type Mark = { last: string; first: string; id: string };

/** Every how many rows a list has a mark. */
export const MARK_EVERY = 100;

/** What is known of some lists of people, true for as long as nothing changes that a list could show (`generation`). */
export type ListMemory = {
  /** How many people a search finds. */
  total(filter: UserFilter, generation: number): Promise<number>;
  /** The rows 0, 100, 200 … of a list, so that a deep page is read from near by. Older than `generation`, it is made anew. */
  marks(filter: UserFilter, generation?: number): Promise<{ generation: number; marks: Mark[] }>;
};

const MOST_TOTALS = 1_000;
const MOST_MARKED = 50;

export function createListMemory(db: Queryable): ListMemory {
  const totals = remembering(MOST_TOTALS, (filter) => countRows(db, filter));
  const marked = remembering(MOST_MARKED, (filter) => readMarks(db, filter));
  return {
    total: async (filter, generation) => (await totals(filter, generation)).total,
    marks: marked,
  };
}

/** Keeps the latest answers, at most `most` of them; what is being asked already is not asked twice. */
function remembering<T extends { generation: number }>(most: number, ask: (filter: UserFilter) => Promise<T>) {
  const known = new Map<string, Promise<T>>();
  return async (filter: UserFilter, generation = 0): Promise<T> => {
    const key = JSON.stringify(conditions(filter));
    const found = await known.get(key)?.catch(() => undefined);
    if (found && found.generation >= generation) return found;
    const asked = ask(filter);
    known.delete(key);
    known.set(key, asked);
    asked.catch(() => known.delete(key));
    if (known.size > most) known.delete(known.keys().next().value ?? '');
    return asked;
  };
}

const GENERATION = '(select generation from user_list_state) as generation';

async function countRows(db: Queryable, filter: UserFilter): Promise<{ generation: number; total: number }> {
  const { where, values } = conditions(filter);
  const { rows } = await db.query<{ generation: number; total: number }>(
    `select count(*) as total, ${GENERATION} from users u where ${where}`,
    values,
  );
  const [row] = rows;
  if (!row) throw new Error('an aggregate always has a row');
  return row;
}

async function readMarks(db: Queryable, filter: UserFilter): Promise<{ generation: number; marks: Mark[] }> {
  const { where, values } = conditions(filter);
  const { rows } = await db.query<Mark & { generation: number }>(
    `select last, first, id, ${GENERATION}
     from (
       select lower(u.last_name) as last, lower(u.first_name) as first, u.id,
              row_number() over (order by lower(u.last_name), lower(u.first_name), u.id) as place
       from users u where ${where}
     ) as everybody
     where place % ${MARK_EVERY} = 1 order by place`,
    values,
  );
  return { generation: rows[0]?.generation ?? 0, marks: rows };
}
