import type { Task, TaskStatus } from '@atrium/proto-events/http/tasks';
import { urgentFirst } from '../../../realtime/invalidation-rules.ts';

/** A card that is on its way to a column while the server has not answered yet. */
export type Move = { task: Task; to: TaskStatus };
export type Moves = ReadonlyMap<string, Move>;

/** What a column shows: the server's cards without those on their way elsewhere, and with those that are coming. */
export function withMoves(tasks: readonly Task[], status: TaskStatus, moves: Moves): Task[] {
  const staying = tasks.filter(({ _id }) => (moves.get(_id)?.to ?? status) === status);
  return coming(tasks, status, moves).reduce(insert, staying);
}

/** By how many cards a column differs from the server's count. */
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

/** Where the server will have it. */
function insert(tasks: Task[], task: Task): Task[] {
  const place = tasks.findIndex((other) => urgentFirst(task, other));
  return place === -1 ? [...tasks, task] : tasks.toSpliced(place, 0, task);
}
