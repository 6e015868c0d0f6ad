import type { Task, TaskStatus } from '@atrium/proto-events/http/tasks';
import { useState } from 'react';
import { columnLabel } from '#entities/task/task-labels.ts';
import { useStableCallback } from '#lib/hooks/use-stable-callback.ts';
import { showErrorToast } from '#ui/overlays/toast.ts';
import { useTaskActions } from '../use-task-actions.ts';
import type { Move, Moves } from './task-moves.ts';

/** Moves cards optimistically; a rejected move is reverted with a toast. `announcement` is the screen reader announcement. */
export function useTaskMoves() {
  const [moves, setMoves] = useState<Moves>(new Map());
  const [announcement, setAnnouncement] = useState('');
  const { update } = useTaskActions();
  const end = (move: Move) =>
    setMoves((before) => {
      // A later move of the same card is still pending.
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
