import type { Task } from '@atrium/proto-events/http/tasks';
import { useRef, useState } from 'react';
import { messageOf } from '../../lib/api-error.ts';
import { showError } from '../../ui/toast.ts';
import { type TaskChanges, useTaskActions } from './use-tasks.ts';

type Shown = Pick<Task, 'status' | 'priority' | 'assignedTo' | 'dueDate' | 'progress'>;

/** How long the slider must rest before its value is sent. */
const REST_MS = 400;

/** Shows what was chosen at once and saves it; refused, the value is the server's again and a toast says why. */
export function useTaskChanges(task: Task) {
  const [chosen, setChosen] = useState<Partial<Shown>>({});
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const { update, setProgress } = useTaskActions();
  const show = (values: Partial<Shown>) => setChosen((before) => ({ ...before, ...values }));
  const save = async (values: Partial<Shown>, write: () => Promise<unknown>) => {
    try {
      await write();
    } catch (error) {
      showError('Error', messageOf(error, 'Failed to update task'));
    }
    // What was chosen again meanwhile is not this one's to take back.
    setChosen((before) =>
      Object.fromEntries(Object.entries(before).filter(([name, value]) => values[name as keyof Shown] !== value)),
    );
  };
  return {
    shown: { ...task, ...chosen },
    change: (values: Partial<Shown>, body: TaskChanges) => {
      show(values);
      void save(values, () => update(task._id, body));
    },
    changeProgress: (progress: number) => {
      show({ progress });
      clearTimeout(timer.current);
      // Closing the dialog meanwhile does not stop it: what was set is saved.
      timer.current = setTimeout(() => void save({ progress }, () => setProgress(task._id, progress)), REST_MS);
    },
  };
}
