import type { Db } from '@atrium/service-kit/postgres';
import type { TaskListMemory } from './task-list-memory.ts';
import { findTaskIds, listTaskRows, type TaskFilter } from './task-lists.ts';
import { readTaskState, readTasks, type TaskRow } from './task-repository.ts';

type Sources = { db: Db; taskLists: TaskListMemory };
type Page = { limit: number; offset: number };
type List = { rows: TaskRow[]; total: number };

/** So far down a list is read as it stands. */
const NEAR = 100;
const STRETCH = 1_000;
const LARGEST_PAGE = 100;

/** One page of tasks, for a caller. A search and what is far down are found once, for as long as nothing changes. */
export async function listTaskPage(sources: Sources, filter: TaskFilter, page: Page, callerId: string): Promise<List> {
  const { db, taskLists } = sources;
  if (!filter.search && page.offset < NEAR) return listTaskRows(db, filter, page, callerId);
  const start = Math.floor(page.offset / STRETCH) * STRETCH;
  const { search, project, assignedTo, status, priority, sort } = filter;
  const key = JSON.stringify([start, search, project, assignedTo, status, priority, sort]);
  // The last page that begins in the stretch may reach over its end.
  const find = () => findTaskIds(db, filter, { limit: STRETCH + LARGEST_PAGE, offset: start });
  const idsOf = (ids: string[]) => ids.slice(page.offset - start, page.offset - start + page.limit);

  const known = await taskLists(key, find);
  const rows = await readTasks(db, idsOf(known.ids), callerId);
  const generation = rows[0]?.generation ?? (await readTaskState(db));
  if (generation === known.generation) return { rows, total: known.total };
  const fresh = await taskLists(key, find, generation);
  return { rows: await readTasks(db, idsOf(fresh.ids), callerId), total: fresh.total };
}
