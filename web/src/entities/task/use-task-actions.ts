import type { CallOf } from '@atrium/proto-events/endpoint';
import type {
  addComment,
  Comment,
  createTask,
  deleteComment,
  deleteTask,
  Task,
  updateTask,
  updateTaskProgress,
} from '@atrium/proto-events/http/tasks';
import { call } from '#lib/api/api.ts';
import { idempotencyOptions } from '#lib/hooks/use-idempotency-key.ts';
import { createUserScopedStore } from '#lib/session/user-scoped-store.ts';
import { useWrite } from '#realtime/use-write.ts';

type TaskChanges = CallOf<typeof updateTask>['body'];

export function useTaskActions() {
  const write = useWrite<Task>('task');
  const showSaved = async (request: Promise<Task>): Promise<Task> => {
    const task = await request;
    write.saved(task);
    return task;
  };
  const changeComments = (id: string, edit: (comments: Comment[]) => Comment[]) => {
    write.changed(id, (task) => withComments(task, edit));
    write.refetch(`/tasks/${id}/comments`);
  };
  return {
    create: async (body: CallOf<typeof createTask>['body'], idempotencyKey: string): Promise<Task> => {
      const task = await call<typeof createTask>('POST /tasks', { body }, idempotencyOptions(idempotencyKey));
      write.created(task);
      return task;
    },
    update: (id: string, body: TaskChanges) =>
      showSaved(runSequentially(id, () => call<typeof updateTask>('PATCH /tasks/:id', { params: { id }, body }))),
    setProgress: (id: string, progress: number) => {
      const input = { params: { id }, body: { progress } };
      return showSaved(runSequentially(id, () => call<typeof updateTaskProgress>('PATCH /tasks/:id/progress', input)));
    },
    remove: async (id: string) => {
      await call<typeof deleteTask>('DELETE /tasks/:id', { params: { id } });
      write.deleted(({ _id }) => _id === id);
    },
    comment: async (id: string, comment: string, idempotencyKey: string) => {
      const input = { params: { id }, body: { comment } };
      const addedComment = await call<typeof addComment>(
        'POST /tasks/:id/comments',
        input,
        idempotencyOptions(idempotencyKey),
      );
      changeComments(id, (comments) => [...comments.filter(({ _id }) => _id !== addedComment._id), addedComment]);
    },
    removeComment: async (id: string, commentId: string) => {
      await call<typeof deleteComment>('DELETE /tasks/:id/comments/:commentId', { params: { id, commentId } });
      changeComments(id, (comments) => comments.filter(({ _id }) => _id !== commentId));
    },
  };
}

function withComments(task: Task, edit: (comments: Comment[]) => Comment[]): Task {
  if (!task.comments) return task;
  const comments = edit(task.comments);
  const addedCount = comments.length - task.comments.length;
  // The server increments the version with each comment.
  return addedCount === 0
    ? task
    : { ...task, comments, commentCount: task.commentCount + addedCount, version: task.version + 1 };
}

const lastOperations = createUserScopedStore(() => new Map<string, Promise<unknown>>());

/** Runs the mutations of a task sequentially, because concurrent ones may arrive in any order. */
function runSequentially<T>(id: string, write: () => Promise<T>): Promise<T> {
  const queues = lastOperations.get();
  const previous = queues.get(id) ?? Promise.resolve();
  const operation = previous.catch(() => undefined).then(write);
  queues.set(id, operation);
  const removeOperation = () => queues.get(id) === operation && queues.delete(id);
  operation.then(removeOperation, removeOperation);
  return operation;
}
