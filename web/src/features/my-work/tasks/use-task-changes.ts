import type { Task } from '@atrium/proto-events/http/tasks';
import { isolate } from '@atrium/proto-events/text/isolate';
import { useRef, useState } from 'react';
import { useTaskActions } from '#entities/task/use-task-actions.ts';
import { useStableCallback } from '#lib/hooks/use-stable-callback.ts';
import { type Day, dayLabel, storedDay } from '#lib/time/day.ts';
import { showError, showErrorToast, showUndoable, withdrawUndo } from '#ui/overlays/toast.ts';

type Changes = Partial<Pick<Task, 'status' | 'progress' | 'dueDate'>>;

/** Changes that are shown before they are saved, by task. */
type Pending = ReadonlyMap<string, Changes>;

const toStoredTime = (day: Day): string => `${day}T00:00:00.000Z`;

/** Completes and postpones tasks optimistically. The last change can be undone. */
export function useTaskChanges() {
  const [pending, setPending] = useState<Pending>(new Map());
  const { update, remove } = useTaskActions();
  const lastUndo = useRef<() => boolean>(() => false);

  const settle = (id: string, changes: Changes) =>
    setPending((before) => {
      if (before.get(id) !== changes) return before;
      const next = new Map(before);
      next.delete(id);
      return next;
    });

  const change = async ({ _id }: Task, changes: Changes): Promise<boolean> => {
    setPending((before) => new Map(before).set(_id, changes));
    try {
      await update(_id, changes);
      return true;
    } catch (error) {
      showErrorToast(error, 'Failed to update task');
      return false;
    } finally {
      settle(_id, changes);
    }
  };

  const changeWithUndo = async (task: Task, changes: Changes, title: string) => {
    withdrawUndo();
    const previous = valuesBefore(task, changes);
    if (await change(task, changes)) lastUndo.current = showUndoable(title, () => void change(task, previous));
  };

  const complete = useStableCallback((task: Task) => {
    if (!task.abilities.updateStatus) return denied(task.denialReasons?.updateStatus);
    void changeWithUndo(task, { status: 'done' }, `${isolate(task.title)} completed`);
  });
  const postpone = useStableCallback((task: Task, day: Day) => {
    if (!task.abilities.update) return denied(task.denialReasons?.update);
    if (storedDay(task.dueDate) === day) return;
    void changeWithUndo(task, { dueDate: toStoredTime(day) }, `${isolate(task.title)} is due ${dayLabel(day)}`);
  });
  const offerRemoval = useStableCallback((task: Task) => {
    lastUndo.current = showUndoable(`${isolate(task.title)} added`, () => {
      remove(task._id).catch((error: unknown) => showErrorToast(error, 'Failed to delete task'));
    });
  });
  const undo = useStableCallback(() => lastUndo.current());
  return { pending, complete, postpone, offerRemoval, undo };
}

/** Whether the day is later than the due date. */
export function isPostponed({ dueDate }: Pick<Task, 'dueDate'>, to: Day): boolean {
  const day = storedDay(dueDate);
  return day === '' || to > day;
}

/** Completing a task also sets its progress. */
function valuesBefore(task: Task, { status, dueDate }: Changes): Changes {
  return {
    ...(status !== undefined && { status: task.status, progress: task.progress }),
    ...(dueDate !== undefined && { dueDate: task.dueDate }),
  };
}

const denied = (reason: string | undefined) => showError('This task cannot be changed', reason);

/** Applies changes in flight; the list is by due date. */
export function applyPending(tasks: readonly Task[], pending: Pending): Task[] {
  if (pending.size === 0) return [...tasks];
  const changed = tasks.map((task) => ({ ...task, ...pending.get(task._id) }));
  return changed.filter(({ status }) => status !== 'done').toSorted(byDueDate);
}

const byDueDate = (a: Task, b: Task): number => {
  const [dayA, dayB] = [a, b].map(({ dueDate }) => storedDay(dueDate) || '9999') as [Day, Day];
  return dayA === dayB ? 0 : dayA < dayB ? -1 : 1;
};
