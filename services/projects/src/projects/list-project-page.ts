import type { Db } from '@atrium/service-kit/postgres';
import { isWorthRemembering, type ListMemory, rememberedPage } from '../remembered-page.ts';
import { findProjectIds, listProjectRows, type ProjectFilter } from './project-lists.ts';
import { readProjectState, readProjects } from './project-repository.ts';

type Sources = { db: Db; projectLists: ListMemory };
type Page = { limit: number; offset: number };

/** One page of projects and how many there are. Whose projects somebody's are changes with the teams, so those are always looked for. */
export function listProjectPage({ db, projectLists }: Sources, filter: ProjectFilter, page: Page) {
  if (filter.person || !isWorthRemembering(filter, page)) return listProjectRows(db, filter, page);
  const { search, status, priority } = filter;
  const list = {
    memory: projectLists,
    filter: { search, status, priority },
    find: (stretch: Page) => findProjectIds(db, filter, stretch),
    read: (ids: string[]) => readProjects(db, ids),
    state: () => readProjectState(db),
  };
  return rememberedPage(list, page);
}
