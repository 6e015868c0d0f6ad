import type {
  Comment,
  getTask,
  listComments,
  listProjectTasks,
  Task,
  TaskStatus,
} from '@atrium/proto-events/http/tasks';
import type { CallInput } from '../../lib/api/api.ts';
import { isId } from '../../lib/is-id.ts';
import { keyOf } from '../../lib/query/keys.ts';
import { useInfinitePages } from '../../lib/query/use-infinite-pages.ts';
import { useRead } from '../../lib/query/use-read.ts';

const HUNDRED = 100;

type Query = NonNullable<CallInput<typeof listProjectTasks>['query']>;
type Column = { project: string; status: TaskStatus; filters: Pick<Query, 'search' | 'priority' | 'assignedTo'> };

/** One column of a project's board, urgent first: a hundred cards, and as many hundreds more as were asked for. */
export function useColumn({ project, status, filters }: Column, pages: number) {
  const keyOfPage = (page: number) =>
    keyOf<typeof listProjectTasks>('GET /tasks/project/:id', {
      params: { id: project },
      query: { ...filters, status, sort: 'priority', limit: HUNDRED, page },
    });
  return useInfinitePages<Task>(keyOfPage, pages);
}

/** The task as it is now, with its comments. */
export function useTask(id: string) {
  return useRead<typeof getTask>('GET /tasks/:id', isId(id) ? { params: { id } } : null, { keepPreviousData: false });
}

const FIFTY = 50;

/** The first so many fifties of a task's comments, newest first. The task itself brings the first of them, so one page is not requested. */
export function useComments(id: string, pages: number) {
  const keyOfPage = (page: number) =>
    keyOf<typeof listComments>('GET /tasks/:id/comments', { params: { id }, query: { limit: FIFTY, page } });
  return useInfinitePages<Comment>(keyOfPage, pages > 1 ? pages : null);
}
