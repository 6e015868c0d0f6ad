import type { Project } from '@atrium/proto-events/http/projects';
import type { Task } from '@atrium/proto-events/http/tasks';
import { styled } from 'styled-components';
import { useCurrentUser } from '../../lib/use-session.ts';
import { DatePicker } from '../../ui/date-picker.tsx';
import { Select } from '../../ui/select.tsx';
import { Slider } from '../../ui/slider.tsx';
import { theme } from '../../ui/theme.ts';
import { assigneeOptions } from './assignees.tsx';
import { StatusMark } from './task-marks.tsx';
import { dueDayOf, TASK_PRIORITY_OPTIONS, TASK_STATUS_OPTIONS } from './task-words.ts';
import { useTaskChanges } from './use-task-changes.ts';

type Props = { task: Task; project: Project };

const STATUSES = TASK_STATUS_OPTIONS.map((option) => ({ ...option, lead: <StatusMark status={option.value} /> }));

export function TaskProperties({ task, project }: Props) {
  const { shown, change, changeProgress } = useTaskChanges(task);
  const { update, updateStatus } = task.abilities;
  return (
    <Stack>
      <Select
        label="Status"
        options={STATUSES}
        value={shown.status}
        onChange={(status) => change({ status }, { status })}
        isDisabled={!updateStatus}
      />
      <Select
        label="Priority"
        options={TASK_PRIORITY_OPTIONS}
        value={shown.priority}
        onChange={(priority) => change({ priority }, { priority })}
        isDisabled={!update}
      />
      <AssigneeSelect task={shown} project={project} onChange={change} />
      <DatePicker
        label="Due date"
        value={dueDayOf(shown)}
        onChange={(day) => {
          const dueDate = day ? `${day}T00:00:00.000Z` : null;
          change({ dueDate }, { dueDate });
        }}
        isDisabled={!update}
      />
      <Slider label="Progress" value={shown.progress} onChange={changeProgress} isDisabled={!updateStatus} />
      {!update && (
        <Why>
          {updateStatus
            ? 'This task is assigned to you: you can change its status and progress.'
            : 'Only people of the project can change its tasks.'}
        </Why>
      )}
    </Stack>
  );
}

type AssigneeProps = Props & { onChange: ReturnType<typeof useTaskChanges>['change'] };

function AssigneeSelect({ task, project, onChange }: AssigneeProps) {
  const people = assigneeOptions(project, useCurrentUser(), task.assignedTo);
  const known = [project.projectManager, ...project.teamMembers];
  return (
    <Select
      label="Assignee"
      options={[{ value: '', label: 'No one' }, ...people]}
      value={task.assignedTo?._id ?? ''}
      onChange={(id) => {
        const assignedTo = known.find(({ _id }) => _id === id) ?? null;
        onChange({ assignedTo }, { assignedTo: id || null });
      }}
      isDisabled={!task.abilities.update}
    />
  );
}

const Stack = styled.div`
  display: grid;
  gap: ${theme.space[4]};
  ${theme.media.small} {
    grid-template-columns: repeat(2, minmax(0, 1fr));
    > :nth-child(n + 5) {
      grid-column: 1 / -1;
    }
  }
`;

const Why = styled.p`
  font: ${theme.text.sm};
  color: ${theme.color.text2};
`;
