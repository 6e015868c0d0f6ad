import type { Task } from '@atrium/proto-events/http/tasks';
import { isolate } from '@atrium/proto-events/text/isolate';
import { Link } from 'react-router-dom';
import { css, styled } from 'styled-components';
import { StatusIcon } from '#entities/task/task-icons.tsx';
import { columnLabel } from '#entities/task/task-labels.ts';
import { useTasksById } from '#entities/task/use-tasks.ts';
import { Avatar } from '#entities/user/avatar.tsx';
import { displayName } from '#entities/user/user-labels.ts';
import { ellipsis, inlineStyles } from '#ui/mixins.ts';
import { theme } from '#ui/theme.ts';

/** The tasks that were created from a message, as far as the user can see them. */
export function MessageTasks({ ids }: { ids: readonly string[] }) {
  const { data } = useTasksById(ids);
  const tasks = ids.flatMap((id) => data?.data.find(({ _id }) => _id === id) ?? []);
  if (tasks.length === 0) return null;
  return (
    <Chips aria-label="Tasks from this message">
      {tasks.map((task) => (
        <li key={task._id}>
          <TaskChip task={task} />
        </li>
      ))}
    </Chips>
  );
}

export function TaskChip({ task }: { task: Task }) {
  const { _id, title, status, project, assignedTo } = task;
  const assignee = assignedTo ? `assigned to ${isolate(displayName(assignedTo))}` : 'not assigned';
  return (
    <Chip
      to={`/progress/${project}?task=${_id}`}
      aria-label={`Task: ${isolate(title)}, ${columnLabel(status)}, ${assignee}`}
      title={`${columnLabel(status)}, ${assignee}`}
    >
      <StatusIcon status={status} />
      <Title dir="auto" $isDone={status === 'done'}>
        {title}
      </Title>
      {assignedTo && <Avatar user={assignedTo} size={18} />}
    </Chip>
  );
}

const Chips = styled.ul`
  display: flex;
  flex-wrap: wrap;
  gap: ${theme.space[1]};
  padding: ${theme.space[1]} 0;
  list-style: none;
  > li {
    max-width: 100%;
  }
`;

const Chip = styled(Link)`
  ${inlineStyles('6px')}
  width: fit-content;
  max-width: min(360px, 100%);
  height: 28px;
  padding: 0 ${theme.space[2]};
  border: 1px solid ${theme.color.line};
  border-radius: ${theme.radius.full};
  background: ${theme.color.surface};
  font: ${theme.text.sm};
  color: ${theme.color.text};
  &:hover {
    border-color: ${theme.color.lineStrong};
    text-decoration: none;
  }
  > svg,
  > :last-child:not(:first-child) {
    flex: none;
  }
`;

const Title = styled.span<{ $isDone: boolean }>`
  &&& {
    flex: 0 1 auto;
  }
  min-width: 0;
  ${ellipsis}
  ${({ $isDone }) =>
    $isDone &&
    css`
      color: ${theme.color.text2};
    `}
`;
