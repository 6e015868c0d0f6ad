import type { Db } from '@atrium/service-kit/postgres';
import { type ListMemory, MARK_EVERY, type Mark } from './list-memory.ts';
import { conditions, type UserFilter } from './user-filter.ts';
import { USER_COLUMNS, type UserRow } from './user-repository.ts';

export type Page = { limit: number; offset: number };
export type Sources = { db: Db; lists: ListMemory };
/** With the state of all lists that it was read in. */
export type ListedRow = UserRow & { generation: number };

export const ORDER = 'order by lower(u.last_name), lower(u.first_name), u.id';
const LISTED = `${USER_COLUMNS}, (select generation from user_list_state) as generation`;

/** One page in the list's order. A deep one is read from the last mark before it, if that still is where it was. */
export async function readPage({ db, lists }: Sources, filter: UserFilter, page: Page): Promise<ListedRow[]> {
  if (page.offset < MARK_EVERY) return readRows(db, filter, page);
  const known = await lists.marks(filter);
  const rows = await readFrom(db, filter, page, known.marks);
  const generation = await generationOf(db, rows);
  if (generation === known.generation) return rows;
  const { marks } = await lists.marks(filter, generation);
  return readFrom(db, filter, page, marks);
}

async function readFrom(db: Db, filter: UserFilter, { limit, offset }: Page, marks: Mark[]): Promise<ListedRow[]> {
  const mark = marks[Math.floor(offset / MARK_EVERY)];
  return mark ? readRows(db, filter, { limit, offset: offset % MARK_EVERY }, mark) : [];
}

/** Each set of filters is a statement of its own, so that each has its own plan. */
async function readRows(db: Db, filter: UserFilter, page: Page, from?: Mark): Promise<ListedRow[]> {
  const { name, where, values } = conditions(filter);
  const given = [...values, ...(from ? [from.last, from.first, from.id] : [])];
  const place = (index: number) => `$${values.length + index}`;
  const start = `and (lower(u.last_name), lower(u.first_name), u.id) >= (${place(1)}, ${place(2)}, ${place(3)})`;
  const { rows } = await db.query<ListedRow>({
    // A search has no plan that suits every text: without a name it is planned for the one that is given.
    ...(!filter.search && { name: `list-users${name}${from ? '-from' : ''}` }),
    text: `select ${LISTED} from users u left join departments d on d.id = u.department_id
           where ${where} ${from ? start : ''} ${ORDER} limit $${given.length + 1} offset $${given.length + 2}`,
    values: [...given, page.limit, page.offset],
  });
  return rows;
}

/** People by their ids, in the given order. */
export async function readPeople(db: Db, ids: string[]): Promise<ListedRow[]> {
  if (ids.length === 0) return [];
  const { rows } = await db.query<ListedRow>({
    name: 'list-users-by-id',
    text: `select ${LISTED}
           from unnest($1::text[]) with ordinality as page (id, place)
           join lateral (select * from users where users.id = page.id offset 0) u on true
           left join departments d on d.id = u.department_id
           order by page.place`,
    values: [ids],
  });
  return rows;
}

/** The state in which rows were read; without any, the one there is now. */
export async function generationOf(db: Db, [row]: ListedRow[]): Promise<number> {
  if (row) return row.generation;
  const { rows } = await db.query<{ generation: number }>('select generation from user_list_state');
  return rows[0]?.generation ?? 0;
}
