import type { Db } from '@atrium/service-kit/postgres';
import { type ListMemory, MARK_EVERY, type Mark } from './list-memory.ts';
import { conditions, countedConditions, type UserFilter } from './user-filter.ts';
import type { UserRow } from './user-repository.ts';

type Page = { limit: number; offset: number };
type ListedRow = UserRow & { generation: number };
type Sources = { db: Db; lists: ListMemory };

const ORDER = 'order by lower(u.last_name), lower(u.first_name), u.id';

/** One page of people and how many there are. What it costs depends on the page's size and not on how many people there are. */
export async function listUserRows(sources: Sources, filter: UserFilter, page: Page) {
  if (filter.search) return searchRows(sources, filter, page);
  const [rows, total] = await Promise.all([readPage(sources, filter, page), countKept(sources.db, filter)]);
  return { rows, total };
}

/** A page that is not full tells the total itself; else it is counted, once for as long as nobody changes. */
async function searchRows(sources: Sources, filter: UserFilter, page: Page) {
  const rows = await readPage(sources, filter, page);
  const isLast = rows.length < page.limit && (rows.length > 0 || page.offset === 0);
  if (isLast) return { rows, total: page.offset + rows.length };
  const generation = rows[0]?.generation ?? (await readGeneration(sources.db));
  return { rows, total: await sources.lists.total(filter, generation) };
}

/** A deep page is read from the last mark before it, if that still is where it was. */
async function readPage({ db, lists }: Sources, filter: UserFilter, page: Page): Promise<ListedRow[]> {
  if (page.offset < MARK_EVERY) return readRows(db, filter, page);
  const known = await lists.marks(filter);
  const rows = await readFrom(db, filter, page, known.marks);
  const generation = rows[0]?.generation ?? (await readGeneration(db));
  if (generation === known.generation) return rows;
  const { marks } = await lists.marks(filter, generation);
  return readFrom(db, filter, page, marks);
}

async function readFrom(db: Db, filter: UserFilter, { limit, offset }: Page, marks: Mark[]): Promise<ListedRow[]> {
  const mark = marks[Math.floor(offset / MARK_EVERY)];
  return mark ? readRows(db, filter, { limit, offset: offset % MARK_EVERY }, mark) : [];
}

async function readRows(db: Db, filter: UserFilter, page: Page, from?: Mark): Promise<ListedRow[]> {
  const { name, where, values } = conditions(filter);
  const given = [...values, ...(from ? [from.last, from.first, from.id] : [])];
  const place = (index: number) => `$${values.length + index}`;
  const start = `and (lower(u.last_name), lower(u.first_name), u.id) >= (${place(1)}, ${place(2)}, ${place(3)})`;
  const { rows } = await db.query<ListedRow>({
    // A search has no plan that suits every text: without a name it is planned for the one that is given.
    ...(!filter.search && { name: `list-users${name}${from ? '-from' : ''}` }),
    text: `select u.*, d.name as department_name, (select generation from user_list_state) as generation
           from users u left join departments d on d.id = u.department_id
           where ${where} ${from ? start : ''} ${ORDER} limit $${given.length + 1} offset $${given.length + 2}`,
    values: [...given, page.limit, page.offset],
  });
  return rows;
}

/** By the numbers that the database keeps. */
async function countKept(db: Db, filter: UserFilter): Promise<number> {
  const { name, where, values } = countedConditions(filter);
  const { rows } = await db.query<{ total: number }>({
    name: `count-users${name}`,
    text: `select coalesce(sum(n), 0) as total from user_counts where ${where}`,
    values,
  });
  return rows[0]?.total ?? 0;
}

async function readGeneration(db: Db): Promise<number> {
  const { rows } = await db.query<{ generation: number }>('select generation from user_list_state');
  return rows[0]?.generation ?? 0;
}

/** Active people who may manage a project, in the list's order. */
export async function listProjectManagerRows(db: Db): Promise<UserRow[]> {
  const { rows } = await db.query<UserRow>({
    name: 'list-project-managers',
    text: `select u.*, d.name as department_name from users u left join departments d on d.id = u.department_id
           where u.role in ('admin', 'project_manager') and u.status = 'active' and u.deleted_at is null ${ORDER}`,
  });
  return rows;
}
