import type { Task } from '@atrium/proto-events/http/tasks';
import { type KeyboardEvent, type PointerEvent, useRef, useState } from 'react';
import { useTaskActions } from '#entities/task/use-task-actions.ts';
import { showErrorToast, showUndoable } from '#ui/overlays/toast.ts';
import { shiftTask } from './timeline-days.ts';

type Options = { task: Task; dayWidth: number; onOpen: () => void };

/** Moves a task by dragging its bar, or with the arrow keys and Enter. Until then, the new dates are a preview. */
export function useBarMove({ task, dayWidth, onOpen }: Options) {
  const [days, setDays] = useState(0);
  const dragStart = useRef<number | null>(null);
  const hasDragged = useRef(false);
  const save = useSaveMove(task);
  const canMove = task.abilities.update;
  const end = (isSaved: boolean) => {
    dragStart.current = null;
    setDays(0);
    if (isSaved && days !== 0) void save(days);
  };
  const directionOf = (element: Element) => (getComputedStyle(element).direction === 'rtl' ? -1 : 1);

  return {
    days,
    barProps: {
      onPointerDown(event: PointerEvent) {
        hasDragged.current = false;
        if (!canMove || event.button !== 0) return;
        dragStart.current = event.clientX;
        event.currentTarget.setPointerCapture(event.pointerId);
      },
      onPointerMove({ clientX, currentTarget }: PointerEvent) {
        if (dragStart.current === null) return;
        const moved = Math.round(((clientX - dragStart.current) / dayWidth) * directionOf(currentTarget));
        if (moved !== 0) hasDragged.current = true;
        setDays(moved);
      },
      onPointerUp: () => end(true),
      onPointerCancel: () => end(false),
      onBlur: () => end(false),
      // Also follows a drag, which must not open the task.
      onClick() {
        if (!hasDragged.current) onOpen();
      },
      onKeyDown(event: KeyboardEvent) {
        hasDragged.current = false;
        const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
        if (step !== undefined && canMove) setDays(days + step * directionOf(event.currentTarget));
        else if (event.key === 'Escape' && days !== 0) setDays(0);
        else if (event.key === 'Enter' && days !== 0) end(true);
        else return;
        event.preventDefault();
        event.stopPropagation();
      },
    },
  };
}

function useSaveMove(task: Task) {
  const { update } = useTaskActions();
  const move = async (current: Task, days: number): Promise<Task | undefined> => {
    try {
      return await update(current._id, { ...shiftTask(current, days), version: current.version });
    } catch (error) {
      showErrorToast(error, 'Failed to update task');
      return undefined;
    }
  };
  return async (days: number) => {
    const moved = await move(task, days);
    if (moved) showUndoable('Task moved', () => void move(moved, -days));
  };
}
