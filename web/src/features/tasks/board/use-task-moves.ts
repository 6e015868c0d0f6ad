import type { Task, TaskStatus } from '@atrium/proto-events/http/tasks';
import { byPriority } from '@atrium/proto-events/responses/projects';
import { useState } from 'react';
import { columnLabel } from '#entities/task/task-labels.ts';
import { useTaskActions } from '#entities/task/use-task-actions.ts';
import { useStableCallback } from '#lib/hooks/use-stable-callback.ts';
import { showErrorToast } from '#ui/overlays/toast.ts';

export function useTaskMoves() {
  const [moves, setMoves] = useState<Moves>(new Map());
  const [announcement, setAnnouncement] = useState('');
  const { update } = useTaskActions();
  const end = (move: Move) =>
    setMoves((before) => {
      if (before.get(move.task._id) !== move) return before;
      const next = new Map(before);
      next.delete(move.task._id);
      return next;
    });
  const move = useStableCallback(async (task: Task, to: TaskStatus) => {
    if (task.status === to) return;
    const started: Move = { task, to };
    setMoves((before) => new Map(before).set(task._id, started));
    setAnnouncement(`${task.title} moved to ${columnLabel(to)}`);
    try {
      await update(task._id, { status: to });
    } catch (error) {
      setAnnouncement(`${task.title} is back in ${columnLabel(task.status)}`);
      showErrorToast(error, 'Failed to update task');
    }
    end(started);
  });
  return { moves, announcement, move };
}

type Move = { task: Task; to: TaskStatus };
export type Moves = ReadonlyMap<string, Move>;

export function applyPendingMoves(tasks: readonly Task[], status: TaskStatus, moves: Moves): Task[] {
  const staying = tasks.filter(({ _id }) => (moves.get(_id)?.to ?? status) === status);
  return listMovedTo(tasks, status, moves).reduce(insert, staying);
}

export function countNetMoves(tasks: readonly Task[], status: TaskStatus, moves: Moves): number {
  const leaving = tasks.filter(({ _id }) => (moves.get(_id)?.to ?? status) !== status);
  return listMovedTo(tasks, status, moves).length - leaving.length;
}

function listMovedTo(tasks: readonly Task[], status: TaskStatus, moves: Moves): Task[] {
  const presentIds = new Set(tasks.map(({ _id }) => _id));
  return [...moves.values()]
    .filter(({ task, to }) => to === status && !presentIds.has(task._id))
    .map(({ task }) => ({ ...task, status }));
}

function insert(tasks: Task[], task: Task): Task[] {
  const index = tasks.findIndex((other) => byPriority(task, other) < 0);
  return index === -1 ? [...tasks, task] : tasks.toSpliced(index, 0, task);
}
