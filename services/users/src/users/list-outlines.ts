import type { Queryable } from '@atrium/service-kit/postgres';
import type { Found, Mark, Marks } from './list-memory.ts';
import { conditions, type UserFilter } from './user-filter.ts';

/** Each of these is one statement, so that what it tells and the generation it tells with it belong together. */
const GENERATION = '(select generation from user_list_state) as generation';
const ORDER = 'lower(u.last_name), lower(u.first_name), u.id';

/** Everybody whom a search finds, in order; undefined when there are more than `most`. Found first and sorted then: names that match
 * stand close together, which no planner knows. */
export async function findIds(db: Queryable, filter: UserFilter, most: number): Promise<Found | undefined> {
  const { where, values } = conditions(filter);
  const { rows } = await db.query<{ generation: number; ids: string[] }>(
    `with u as materialized (
       select u.id, u.last_name, u.first_name from users u where ${where} limit $${values.length + 1}
     )
     select ${GENERATION}, array(select u.id from u order by ${ORDER}) as ids`,
    [...values, most + 1],
  );
  const [found] = rows;
  if (!found) throw new Error('a list without rows has a row about it');
  return found.ids.length > most ? undefined : { ...found, total: found.ids.length };
}

export async function countFound(db: Queryable, filter: UserFilter): Promise<Omit<Found, 'ids'>> {
  const { where, values } = conditions(filter);
  const { rows } = await db.query<{ generation: number; total: number }>(
    `select count(*) as total, ${GENERATION} from users u where ${where}`,
    values,
  );
  const [found] = rows;
  if (!found) throw new Error('an aggregate always has a row');
  return found;
}

/** The first of every `every` rows. */
export async function readMarks(db: Queryable, filter: UserFilter, every: number): Promise<Marks> {
  const { where, values } = conditions(filter);
  const { rows } = await db.query<Mark & { generation: number }>(
    `select last, first, id, ${GENERATION}
     from (
       select lower(u.last_name) as last, lower(u.first_name) as first, u.id, row_number() over (order by ${ORDER}) as place
       from users u where ${where}
     ) as everybody
     where place % ${every} = 1 order by place`,
    values,
  );
  return { generation: rows[0]?.generation ?? 0, marks: rows };
}
