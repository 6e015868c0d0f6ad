import type { CallOf } from '@atrium/proto-events/endpoint';
import type {
  addComment,
  createTask,
  deleteComment,
  deleteTask,
  getTask,
  listProjectTasks,
  Task,
  TaskStatus,
  updateTask,
  updateTaskProgress,
} from '@atrium/proto-events/http/tasks';
import { call } from '../../lib/api.ts';
import { keyOf } from '../../lib/keys.ts';
import { useFirstPages } from '../../lib/use-first-pages.ts';
import { useRead } from '../../lib/use-read.ts';
import { useRefresh } from '../../lib/use-refresh.ts';
import { underKey } from '../../lib/use-repeatable.ts';
import { type BoardFilters, boardQuery } from './board-filters.ts';

const HUNDRED = 100;

type Column = { project: string; status: TaskStatus; filters: BoardFilters };

/** One column of a project's board, urgent first: a hundred cards, and as many hundreds more as were asked for. */
export function useColumn({ project, status, filters }: Column, pages: number) {
  const keyOfPage = (page: number) =>
    keyOf<typeof listProjectTasks>('GET /tasks/project/:id', {
      params: { id: project },
      query: { ...boardQuery(filters), status, sort: 'priority', limit: HUNDRED, page },
    });
  return useFirstPages<Task>(keyOfPage, pages);
}

/** The task as it is now, with its comments. */
export function useTask(id: string) {
  return useRead<typeof getTask>('GET /tasks/:id', { params: { id } }, { keepPreviousData: false });
}

export type TaskChanges = CallOf<typeof updateTask>['body'];

/** The writes; each makes everything about tasks ask again, and answers once that is there. */
export function useTaskActions() {
  const refresh = useRefresh();
  const afterwards = async <T>(write: Promise<T>): Promise<T> => {
    const answer = await write;
    await refresh('/tasks');
    return answer;
  };
  return {
    create: (body: CallOf<typeof createTask>['body'], idempotencyKey: string) =>
      afterwards(call<typeof createTask>('POST /tasks', { body }, underKey(idempotencyKey))),
    update: (id: string, body: TaskChanges) =>
      afterwards(call<typeof updateTask>('PATCH /tasks/:id', { params: { id }, body })),
    setProgress: (id: string, progress: number) =>
      afterwards(call<typeof updateTaskProgress>('PATCH /tasks/:id/progress', { params: { id }, body: { progress } })),
    remove: (id: string) => afterwards(call<typeof deleteTask>('DELETE /tasks/:id', { params: { id } })),
    comment: (id: string, comment: string, idempotencyKey: string) => {
      const input = { params: { id }, body: { comment } };
      return afterwards(call<typeof addComment>('POST /tasks/:id/comments', input, underKey(idempotencyKey)));
    },
    removeComment: (id: string, commentId: string) =>
      afterwards(call<typeof deleteComment>('DELETE /tasks/:id/comments/:commentId', { params: { id, commentId } })),
  };
}
