import type { Task } from '@atrium/proto-events/http/tasks';
import { useRef, useState } from 'react';
import { showErrorToast } from '../../ui/overlays/show-error-toast.ts';
import type { TaskFieldName } from './task-fields.tsx';
import { choiceOf } from './task-schema.ts';
import { useTaskActions } from './use-task-actions.ts';

type Chosen = Partial<Record<TaskFieldName, string> & { progress: number }>;

/** How long the slider must rest before its value is sent. */
const REST_MS = 400;

/** What was chosen and is not saved yet, to be shown at once; refused, it is gone again and a toast says why. */
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
    // What was chosen again meanwhile is not this one's to take back.
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
      // Closing the dialog meanwhile does not stop it: what was set is saved.
      timer.current = setTimeout(() => void save({ progress }, () => setProgress(task._id, progress)), REST_MS);
    },
  };
}
