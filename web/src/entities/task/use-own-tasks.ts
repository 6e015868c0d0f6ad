import type { listDelegatedTasks, listMyTasks, Task } from '@atrium/proto-events/http/tasks';
import { useInfinitePages } from '#lib/query/use-infinite-pages.ts';
import { keyOf } from '#lib/query/use-read.ts';

const OPEN = { status: 'todo,in-progress,review', sort: 'due' } as const;

const OWN_TASKS_PER_PAGE = 50;
const DELEGATED_TASKS_PER_PAGE = 20;

/** The open tasks of the user, by due date. */
export function useOwnTasks(pages: number) {
  const keyOfPage = (page: number) =>
    keyOf<typeof listMyTasks>('GET /tasks/my-tasks', { query: { ...OPEN, limit: OWN_TASKS_PER_PAGE, page } });
  return useInfinitePages<Task>(keyOfPage, pages);
}

/** The open tasks that the user created for others, by due date. */
export function useDelegatedTasks(pages: number) {
  const keyOfPage = (page: number) =>
    keyOf<typeof listDelegatedTasks>('GET /tasks/delegated', {
      query: { ...OPEN, limit: DELEGATED_TASKS_PER_PAGE, page },
    });
  return useInfinitePages<Task>(keyOfPage, pages);
}
