import type { Project } from '@atrium/proto-events/http/projects';
import type { Task } from '@atrium/proto-events/http/tasks';
import { useRef, useState } from 'react';
import { styled } from 'styled-components';
import { useTaskActions } from '#entities/task/use-task-actions.ts';
import { useCurrentUser } from '#lib/session/session.ts';
import { Slider } from '#ui/fields/slider.tsx';
import { Caption, Stack } from '#ui/layout/primitives.ts';
import { showErrorToast } from '#ui/overlays/toast.ts';
import { theme } from '#ui/theme.ts';
import { assigneeOptions } from './assignees.tsx';
import { TASK_FIELD_NAMES, TASK_FIELDS, type TaskFieldName, updateBodyFor } from './task-fields.tsx';

type Chosen = Partial<Record<TaskFieldName, string> & { progress: number }>;

const PROGRESS_DEBOUNCE_MS = 400;

function useTaskChanges(task: Task) {
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
      void save({ [name]: value }, () => update(task._id, updateBodyFor(name, value)));
    },
    changeProgress: (progress: number) => {
      show({ progress });
      clearTimeout(timer.current);
      // Keeps running when the dialog closes, so that the value is still saved.
      timer.current = setTimeout(
        () => void save({ progress }, () => setProgress(task._id, progress)),
        PROGRESS_DEBOUNCE_MS,
      );
    },
  };
}

type Props = { task: Task; project: Project };

export function TaskProperties({ task, project }: Props) {
  const { chosen, change, changeProgress } = useTaskChanges(task);
  const people = assigneeOptions(project, useCurrentUser(), task.assignedTo);
  const { update, updateStatus } = task.abilities;
  const bindField = (name: TaskFieldName) => ({
    value: chosen[name] ?? TASK_FIELDS[name].read(task),
    onChange: (value: string) => change(name, value),
    isDisabled: !task.abilities[TASK_FIELDS[name].ability],
  });
  return (
    <Stack $gap={4}>
      <Choices>
        {TASK_FIELD_NAMES.map((name) => (
          <div key={name}>{TASK_FIELDS[name].control(bindField(name), people)}</div>
        ))}
      </Choices>
      <Slider
        label="Progress"
        value={chosen.progress ?? task.progress}
        onChange={changeProgress}
        isDisabled={!updateStatus}
      />
      {!update && <Caption>{task.denialReasons?.update}</Caption>}
    </Stack>
  );
}

const Choices = styled.div`
  display: grid;
  gap: ${theme.space[4]};
  ${theme.media.small} {
    grid-template-columns: repeat(2, minmax(0, 1fr));
    > :last-child:nth-child(odd) {
      grid-column: 1 / -1;
    }
  }
`;
