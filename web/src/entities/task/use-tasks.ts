import type {
  Comment,
  getTask,
  listComments,
  listProjectTasks,
  listTasks,
  Task,
  TaskStatus,
} from '@atrium/proto-events/http/tasks';
import type { CallInput } from '#lib/api/api.ts';
import { isId } from '#lib/paths.ts';
import { useInfinitePages } from '#lib/query/use-infinite-pages.ts';
import { keyOf, useRead } from '#lib/query/use-read.ts';

export const TASKS_PER_PAGE = 100;

type Query = NonNullable<CallInput<typeof listProjectTasks>['query']>;
type Column = { project: string; status: TaskStatus; filters: Pick<Query, 'search' | 'priority' | 'assignedTo'> };

export function useColumn({ project, status, filters }: Column, pages: number) {
  const keyOfPage = (page: number) =>
    keyOf<typeof listProjectTasks>('GET /tasks/project/:id', {
      params: { id: project },
      query: { ...filters, status, sort: 'priority', limit: TASKS_PER_PAGE, page },
    });
  return useInfinitePages<Task>(keyOfPage, pages);
}

export type TaskListQuery = Pick<
  NonNullable<CallInput<typeof listTasks>['query']>,
  'project' | 'assignedTo' | 'status' | 'completedFrom' | 'completedBefore' | 'dueFrom' | 'dueBefore' | 'due'
>;

export function useTaskPages(query: TaskListQuery, pages: number) {
  const keyOfPage = (page: number) =>
    keyOf<typeof listTasks>('GET /tasks', { query: { ...query, limit: TASKS_PER_PAGE, page } });
  return useInfinitePages<Task>(keyOfPage, pages);
}

export function useTask(id: string) {
  return useRead<typeof getTask>('GET /tasks/:id', isId(id) ? { params: { id } } : null, { keepPreviousData: false });
}

/** Those of the tasks that the user can see. */
export const useTasksById = (ids: readonly string[]) =>
  useRead<typeof listTasks>(
    'GET /tasks',
    { query: { ids: ids.join(','), limit: ids.length } },
    { keepPreviousData: false },
  );

const COMMENTS_PER_PAGE = 50;

export function useComments(id: string, pages: number) {
  const keyOfPage = (page: number) =>
    keyOf<typeof listComments>('GET /tasks/:id/comments', {
      params: { id },
      query: { limit: COMMENTS_PER_PAGE, page },
    });
  return useInfinitePages<Comment>(keyOfPage, pages > 1 ? pages : null);
}
