import type { Db } from '@atrium/service-kit/postgres';
import { countedConditions, type UserFilter } from './user-filter.ts';
import { generationOf, ORDER, type Page, readPage, readPeople, type Sources } from './user-pages.ts';
import { USER_COLUMNS, type UserRow } from './user-repository.ts';

type List = { rows: UserRow[]; total: number };

/** One page of people and how many there are. What it costs depends on the page's size and not on how many people there are. */
export async function listUserRows(sources: Sources, filter: UserFilter, page: Page): Promise<List> {
  if (filter.search) return searchRows(sources, filter, page);
  const [rows, total] = await Promise.all([readPage(sources, filter, page), countKept(sources.db, filter)]);
  return { rows, total };
}

/** Looked for once for as long as nothing changes: whoever pages through, or types the same again, finds it found. */
async function searchRows(sources: Sources, filter: UserFilter, page: Page): Promise<List> {
  const known = await sources.lists.found(filter);
  const rows = await readFound(sources, filter, page, known.ids);
  const generation = await generationOf(sources.db, rows);
  if (generation === known.generation) return { rows, total: known.total };
  const { ids, total } = await sources.lists.found(filter, generation);
  return { rows: await readFound(sources, filter, page, ids), total };
}

function readFound(sources: Sources, filter: UserFilter, page: Page, ids: string[] | undefined) {
  if (!ids) return readPage(sources, filter, page);
  return readPeople(sources.db, ids.slice(page.offset, page.offset + page.limit));
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

/** The first of the active people who may manage a project, in the list's order. */
export async function listProjectManagerRows(
  sources: Sources,
  { search, limit }: { search?: string | undefined; limit: number },
) {
  if (!search) return firstManagers(sources.db, limit);
  const { rows } = await searchRows(sources, { search, status: 'active', isManager: true }, { limit, offset: 0 });
  return rows;
}

/** Each role is read in order by the index of its own, so that no more are read than could be among the first. */
async function firstManagers(db: Db, limit: number): Promise<UserRow[]> {
  const ofRole = (role: string) =>
    `(select * from users u where u.role = '${role}' and u.status = 'active' and u.deleted_at is null ${ORDER} limit $1)`;
  const { rows } = await db.query<UserRow>({
    name: 'list-project-managers',
    text: `select ${USER_COLUMNS}
           from (${ofRole('admin')} union all ${ofRole('project_manager')}) u left join departments d on d.id = u.department_id
           ${ORDER} limit $1`,
    values: [limit],
  });
  return rows;
}
