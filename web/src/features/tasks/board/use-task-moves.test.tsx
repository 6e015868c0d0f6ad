import type { Task, TaskStatus } from '@atrium/proto-events/http/tasks';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { act, cleanup, render, screen, waitFor } from '@testing-library/react';
import { SWRConfig } from 'swr';
import { useColumn } from '#entities/task/use-tasks.ts';
import { swrConfig } from '#lib/query/swr-config.ts';
import { startApi } from '#test/api-server.ts';
import { buildTask } from '#test/build-task.ts';
import { buildUser } from '#test/build-user.ts';
import { dismissToasts } from '#test/dismiss-toasts.ts';
import { signInAs } from '#test/sign-in-as.ts';
import { applyPendingMoves, countNetMoves, useTaskMoves } from './use-task-moves.ts';

let stop: () => Promise<void>;
let tasks: Task[];
/** Functions that release delayed column responses, which show the state at request time; undefined without a delay. */
let pendingResponses: (() => void)[] | undefined;
let isRejected: boolean;
/** Every state the page rendered. */
let renderedStates: string[];
let board: ReturnType<typeof useTaskMoves>;

beforeEach(async () => {
  tasks = [buildTask('c'), buildTask('d', { status: 'done' })];
  pendingResponses = undefined;
  isRejected = false;
  renderedStates = [];
  act(() => signInAs(buildUser('p')));
  ({ stop } = await startApi(async ({ method, path, body }) => {
    const { pathname, searchParams } = new URL(path, 'http://localhost');
    if (method === 'PATCH') {
      if (isRejected) return { status: 403, body: { message: 'Not yours', code: 'forbidden', requestId: 'r' } };
      const moved = { ...buildTask('c'), ...(body as Partial<Task>), version: 2 };
      tasks = tasks.map((task) => (pathname.endsWith(task._id) ? moved : task));
      return { status: 200, body: moved };
    }
    const data = tasks.filter(({ status }) => status === searchParams.get('status'));
    if (pendingResponses) await new Promise<void>((resolve) => pendingResponses?.push(resolve));
    return { status: 200, body: { data, total: data.length, page: 1, totalPages: 1 } };
  }));
});

afterEach(async () => {
  dismissToasts();
  cleanup();
  await stop();
});

const FILTERS = { search: '', priority: '' };

function useColumnText(status: TaskStatus): string {
  const { data } = useColumn({ project: 'b'.repeat(24), status, filters: FILTERS }, 1);
  const loadedTasks = data?.data ?? [];
  const cards = applyPendingMoves(loadedTasks, status, board.moves).map(({ title }) => title.slice(-1));
  return `${status}:${cards.join('')} ${(data?.total ?? 0) + countNetMoves(loadedTasks, status, board.moves)}`;
}

function Board() {
  board = useTaskMoves();
  const text = `${useColumnText('todo')}, ${useColumnText('done')}`;
  if (renderedStates.at(-1) !== text) renderedStates.push(text);
  return <p>{text}</p>;
}

const waitForText = (text: string) => waitFor(() => expect(screen.getByText(text)).toBeTruthy());

/** Moves a card, and renders each state as the app does. */
function move(): void {
  act(() => void board.move(buildTask('c'), 'done'));
  expect(board.moves.size).toBe(1);
}

async function open() {
  render(
    <SWRConfig value={swrConfig}>
      <Board />
    </SWRConfig>,
  );
  await waitForText('todo:c 1, done:d 1');
  renderedStates = [];
}

it('useTaskMoves keeps a moved card in place while columns load and when they arrive', async () => {
  await open();
  pendingResponses = [];
  move();
  await waitFor(() => expect([tasks[0]?.status, board.moves.size]).toEqual(['done', 0]));
  await waitFor(() => expect(pendingResponses).toHaveLength(2));
  await act(async () => pendingResponses?.splice(0).forEach((release) => void release()));
  expect(renderedStates).toEqual(['todo: 0, done:cd 2']);
});

it('useTaskMoves moves a card back if the server rejects the move', async () => {
  await open();
  isRejected = true;
  move();
  await waitFor(() => expect(board.moves.size).toBe(0));
  await waitForText('todo:c 1, done:d 1');
  expect(renderedStates).toEqual(['todo: 0, done:cd 2', 'todo:c 1, done:d 1']);
});
