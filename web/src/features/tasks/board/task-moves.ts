import type { Task, TaskStatus } from '@atrium/proto-events/http/tasks';
import { urgentFirst } from '#realtime/invalidation-rules.ts';

/** An optimistic move that the server has not confirmed yet. */
export type Move = { task: Task; to: TaskStatus };
export type Moves = ReadonlyMap<string, Move>;

/** A column's cards: the server's without those moved away, plus those moved in. */
export function withMoves(tasks: readonly Task[], status: TaskStatus, moves: Moves): Task[] {
  const staying = tasks.filter(({ _id }) => (moves.get(_id)?.to ?? status) === status);
  return coming(tasks, status, moves).reduce(insert, staying);
}

/** The difference between a column's count and the server's. */
export function countOfMoves(tasks: readonly Task[], status: TaskStatus, moves: Moves): number {
  const leaving = tasks.filter(({ _id }) => (moves.get(_id)?.to ?? status) !== status);
  return coming(tasks, status, moves).length - leaving.length;
}

function coming(tasks: readonly Task[], status: TaskStatus, moves: Moves): Task[] {
  const isHere = new Set(tasks.map(({ _id }) => _id));
  return [...moves.values()]
    .filter(({ task, to }) => to === status && !isHere.has(task._id))
    .map(({ task }) => ({ ...task, status }));
}

/** Inserts a task where the server will put it. */
function insert(tasks: Task[], task: Task): Task[] {
  const place = tasks.findIndex((other) => urgentFirst(task, other));
  return place === -1 ? [...tasks, task] : tasks.toSpliced(place, 0, task);
}
