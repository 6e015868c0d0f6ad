import type { Db } from '@atrium/service-kit/postgres';
import { isWorthRemembering, type ListMemory, rememberedPage } from '../remembered-page.ts';
import { findTaskIds, listTaskRows, type TaskFilter } from './task-lists.ts';
import { readTaskState, readTasks } from './task-repository.ts';

type Sources = { db: Db; taskLists: ListMemory };
type Page = { limit: number; offset: number };

/** One page of tasks and how many there are, for a caller. */
export function listTaskPage({ db, taskLists }: Sources, filter: TaskFilter, page: Page, callerId: string) {
  if (!isWorthRemembering(filter, page)) return listTaskRows(db, filter, page, callerId);
  const { search, project, assignedTo, status, priority, sort } = filter;
  const list = {
    memory: taskLists,
    filter: { search, project, assignedTo, status, priority, sort },
    find: (stretch: Page) => findTaskIds(db, filter, stretch),
    read: (ids: string[]) => readTasks(db, ids, callerId),
    state: () => readTaskState(db),
  };
  return rememberedPage(list, page);
}
