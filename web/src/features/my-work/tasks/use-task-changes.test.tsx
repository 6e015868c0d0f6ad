import type { Task } from '@atrium/proto-events/http/tasks';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { act, cleanup, render, screen, waitFor } from '@testing-library/react';
import { useOwnTasks } from '#entities/task/use-own-tasks.ts';
import { startApi } from '#test/api-server.ts';
import { buildTask } from '#test/build-task.ts';
import { buildUser } from '#test/build-user.ts';
import { dismissToasts } from '#test/dismiss-toasts.ts';
import { signInAs } from '#test/sign-in-as.ts';
import { withQueryCache } from '#test/with-query-cache.tsx';
import { currentToast, showUndoable } from '#ui/overlays/toast.ts';
import { applyPending, useTaskChanges } from './use-task-changes.ts';

const ME = buildUser('p');
const ofMe = (letter: string, overrides: Partial<Task> = {}) => buildTask(letter, { assignedTo: ME, ...overrides });

let stop: () => Promise<void>;
let tasks: Task[];
let isRejected: boolean;
let release: (() => void) | undefined;
let changes: ReturnType<typeof useTaskChanges>;

beforeEach(async () => {
  isRejected = false;
  release = undefined;
  tasks = [ofMe('c', { dueDate: '2026-11-20T00:00:00.000Z' }), ofMe('d', { dueDate: '2026-11-25T00:00:00.000Z' })];
  act(() => signInAs(ME));
  ({ stop } = await startApi(async ({ method, path, body }) => {
    if (method !== 'PATCH') {
      const data = tasks.filter(({ status }) => status !== 'done');
      return { status: 200, body: { data, total: data.length, page: 1, totalPages: 1 } };
    }
    await new Promise<void>((resolve) => {
      release = resolve;
    });
    if (isRejected) return { status: 403, body: { message: 'Not yours', code: 'forbidden', requestId: 'r' } };
    const change = body as Partial<Task>;
    const isCompleted = change.status === 'done';
    tasks = tasks.map((task) =>
      path.endsWith(task._id)
        ? { ...task, ...change, ...(isCompleted && { progress: 100 }), version: task.version + 1 }
        : task,
    );
    return { status: 200, body: tasks.find(({ _id }) => path.endsWith(_id)) };
  }));
});

afterEach(async () => {
  dismissToasts();
  cleanup();
  await stop();
});

function Screen() {
  changes = useTaskChanges();
  const { data } = useOwnTasks(1);
  const shown = applyPending(data?.data ?? [], changes.pending);
  return <p>{shown.map(({ _id, dueDate }) => `${_id.slice(0, 1)}:${dueDate?.slice(8, 10)}`).join(' ')}</p>;
}

const taskOf = (letter: string) => tasks.find(({ _id }) => _id.startsWith(letter)) as Task;
async function respond(): Promise<void> {
  await waitFor(() => expect(release).toBeDefined());
  release?.();
  release = undefined;
}

it('a completed task disappears at once, and reappears when it is undone', async () => {
  render(<Screen />, withQueryCache);
  await screen.findByText('c:20 d:25');
  act(() => changes.complete(taskOf('c')));
  expect(screen.getByText('d:25')).toBeTruthy();
  await respond();
  await waitFor(() => expect(currentToast()?.title).toMatch(/Task c.* completed/));
  expect(screen.getByText('d:25')).toBeTruthy();
  act(() => expect(changes.undo()).toBe(true));
  await respond();
  await screen.findByText('c:20 d:25');
  expect(changes.undo()).toBe(false);
});

it('a task that is no longer completed has its earlier progress', async () => {
  tasks = [ofMe('c', { status: 'in-progress', progress: 40 })];
  render(<Screen />, withQueryCache);
  await screen.findByText(/^c:/);
  act(() => changes.complete(taskOf('c')));
  await respond();
  await waitFor(() => expect(currentToast()?.title).toMatch(/completed/));
  expect(taskOf('c')).toMatchObject({ status: 'done', progress: 100 });
  act(() => expect(changes.undo()).toBe(true));
  await respond();
  await waitFor(() => expect(taskOf('c')).toMatchObject({ status: 'in-progress', progress: 40 }));
});

it('the key undoes only what the toast offers', async () => {
  render(<Screen />, withQueryCache);
  await screen.findByText('c:20 d:25');
  act(() => changes.offerRemoval(taskOf('c')));
  dismissToasts();
  act(() => void showUndoable('Marked as read', () => undefined));
  expect(changes.undo()).toBe(false);
  expect(currentToast()?.title).toBe('Marked as read');
});

it('a postponed task moves to its date at once, and back when the change is rejected', async () => {
  render(<Screen />, withQueryCache);
  await screen.findByText('c:20 d:25');
  act(() => changes.postpone(taskOf('c'), '2026-11-30'));
  expect(screen.getByText('d:25 c:30')).toBeTruthy();
  isRejected = true;
  await respond();
  await screen.findByText('c:20 d:25');
  expect(currentToast()?.description).toBe('Not yours');
  expect(changes.undo()).toBe(false);
});

it('a task that the user cannot change stays, with the reason', async () => {
  const abilities = { update: false, updateStatus: false, comment: false, delete: false };
  const denialReasons = { update: 'Only the status', updateStatus: 'Only project members' };
  tasks = [ofMe('c', { dueDate: '2026-11-20T00:00:00.000Z', abilities, denialReasons })];
  render(<Screen />, withQueryCache);
  await screen.findByText('c:20');
  act(() => changes.complete(taskOf('c')));
  expect(currentToast()?.description).toBe('Only project members');
  expect(screen.getByText('c:20')).toBeTruthy();
});
