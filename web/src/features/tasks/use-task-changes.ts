import type { Task } from '@atrium/proto-events/http/tasks';
import { useRef, useState } from 'react';
import { showErrorToast } from '#ui/overlays/show-error-toast.ts';
import type { TaskFieldName } from './task-fields.tsx';
import { choiceOf } from './task-schema.ts';
import { useTaskActions } from './use-task-actions.ts';

type Chosen = Partial<Record<TaskFieldName, string> & { progress: number }>;

/** Debounce of the slider in milliseconds. */
const REST_MS = 400;

/** Optimistic values that are not saved yet; a rejected one is reverted with a toast. */
export function useTaskChanges(task: Task) {
  const [chosen, setChosen] = useState<Chosen>({});
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const { update, setProgress } = useTaskActions();
  const show = (values: Chosen) => setChosen((before) => ({ ...before, ...values }));
  const save = async (values: Chosen, write: () => Promise<unknown>) => {
    try {
      await write();
    } catch (error) {
      showErrorToast(error, 'Failed to update task');
    }
    // A value selected since then must not be reverted.
    setChosen((before) =>
      Object.fromEntries(Object.entries(before).filter(([name, value]) => values[name as keyof Chosen] !== value)),
    );
  };
  return {
    chosen,
    change: (name: TaskFieldName, value: string) => {
      show({ [name]: value });
      void save({ [name]: value }, () => update(task._id, choiceOf(name, value)));
    },
    changeProgress: (progress: number) => {
      show({ progress });
      clearTimeout(timer.current);
      // Not cancelled when the dialog closes: the value is still saved.
      timer.current = setTimeout(() => void save({ progress }, () => setProgress(task._id, progress)), REST_MS);
    },
  };
}
