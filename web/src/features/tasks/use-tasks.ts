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
import { call } from '../../lib/api/api.ts';
import { keyOf } from '../../lib/cache/keys.ts';
import { useFirstPages } from '../../lib/cache/use-first-pages.ts';
import { useRead } from '../../lib/cache/use-read.ts';
import { useRefresh } from '../../lib/cache/use-refresh.ts';
import { isId } from '../../lib/is-id.ts';
import { underKey } from '../../lib/use-repeatable.ts';
import { type BoardFilters, boardQuery } from './board/board-filters.ts';

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
  return useRead<typeof getTask>('GET /tasks/:id', isId(id) ? { params: { id } } : null, { keepPreviousData: false });
}

type TaskChanges = CallOf<typeof updateTask>['body'];

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
      afterwards(inTurn(id, () => call<typeof updateTask>('PATCH /tasks/:id', { params: { id }, body }))),
    setProgress: (id: string, progress: number) => {
      const input = { params: { id }, body: { progress } };
      return afterwards(inTurn(id, () => call<typeof updateTaskProgress>('PATCH /tasks/:id/progress', input)));
    },
    /** Answers before the lists are there: what shows this task alone must go first, or it would ask for what is gone. */
    remove: async (id: string) => {
      await call<typeof deleteTask>('DELETE /tasks/:id', { params: { id } });
      void refresh('/tasks');
    },
    comment: (id: string, comment: string, idempotencyKey: string) => {
      const input = { params: { id }, body: { comment } };
      return afterwards(call<typeof addComment>('POST /tasks/:id/comments', input, underKey(idempotencyKey)));
    },
    removeComment: (id: string, commentId: string) =>
      afterwards(call<typeof deleteComment>('DELETE /tasks/:id/comments/:commentId', { params: { id, commentId } })),
  };
}

const latest = new Map<string, Promise<unknown>>();

/** One change of a task after the other, in the order they were made: two that are under way at once may arrive in any. */
function inTurn<T>(id: string, write: () => Promise<T>): Promise<T> {
  const before = latest.get(id) ?? Promise.resolve();
  const mine = before.catch(() => undefined).then(write);
  latest.set(id, mine);
  const forget = () => latest.get(id) === mine && latest.delete(id);
  mine.then(forget, forget);
  return mine;
}
