import type { Project } from '@atrium/proto-events/http/projects';
import type { Task } from '@atrium/proto-events/http/tasks';
import { styled } from 'styled-components';
import { useCurrentUser } from '#lib/session/use-session.ts';
import { Slider } from '#ui/fields/slider.tsx';
import { theme } from '#ui/theme.ts';
import { assigneeOptions } from './assignees.tsx';
import { TASK_FIELD_NAMES, TASK_FIELDS, type TaskFieldName } from './task-fields.tsx';
import { useTaskChanges } from './use-task-changes.ts';

type Props = { task: Task; project: Project };

export function TaskProperties({ task, project }: Props) {
  const { chosen, change, changeProgress } = useTaskChanges(task);
  const people = assigneeOptions(project, useCurrentUser(), task.assignedTo);
  const { update, updateStatus } = task.abilities;
  const bound = (name: TaskFieldName) => ({
    value: chosen[name] ?? TASK_FIELDS[name].of(task),
    onChange: (value: string) => change(name, value),
    isDisabled: !task.abilities[TASK_FIELDS[name].ability],
  });
  return (
    <Stack>
      <Choices>
        {TASK_FIELD_NAMES.map((name) => (
          <div key={name}>{TASK_FIELDS[name].control(bound(name), people)}</div>
        ))}
      </Choices>
      <Slider
        label="Progress"
        value={chosen.progress ?? task.progress}
        onChange={changeProgress}
        isDisabled={!updateStatus}
      />
      {!update && <Why>{task.refusals?.update}</Why>}
    </Stack>
  );
}

const Stack = styled.div`
  display: grid;
  gap: ${theme.space[4]};
`;

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

const Why = styled.p`
  font: ${theme.text.sm};
  color: ${theme.color.text2};
`;
