import type { Task } from '@atrium/proto-events/http/tasks';
import { ListTodo } from 'lucide-react';
import type { Ref } from 'react';
import { GridList, GridListHeader, GridListSection } from 'react-aria-components/GridList';
import { styled } from 'styled-components';
import type { ProjectNames } from '#entities/project/use-project-names.ts';
import { weekStartIndex } from '#lib/time/date-preferences.ts';
import type { Day } from '#lib/time/day.ts';
import { ButtonLink } from '#ui/button-link.tsx';
import { insetFocusRing } from '#ui/mixins.ts';
import { EmptyState } from '#ui/pages/empty-state.tsx';
import { theme } from '#ui/theme.ts';
import { groupTasks, type TaskGroup } from './group-tasks.ts';
import { type PostponeDays, TaskRow, type TaskRowActions } from './task-row.tsx';

export const MY_TASKS = 'My tasks';

type Props = TaskRowActions & {
  ref: Ref<HTMLDivElement>;
  tasks: readonly Task[];
  today: Day;
  days: PostponeDays;
  /** Whether more tasks can be loaded. */
  hasMore: boolean;
  projectNames: ProjectNames;
  onOpen: (task: Task) => void;
};

/** One list, so that the arrow keys move through all groups. */
export function TaskList({ ref, tasks, today, days, hasMore, projectNames, onOpen, ...actions }: Props) {
  if (tasks.length === 0) return <NoTasks />;
  const open = (key: unknown) => {
    const task = tasks.find(({ _id }) => _id === key);
    if (task) onOpen(task);
  };
  return (
    <List ref={ref} aria-label={MY_TASKS} selectionMode="none" onAction={open} disallowTypeAhead>
      {groupTasks(tasks, { today, weekStart: weekStartIndex(), hasMore }).map((group) => (
        <GridListSection key={group.name} id={group.name}>
          <GroupHeader group={group} />
          {group.tasks.map((task) => (
            <TaskRow
              key={task._id}
              task={task}
              today={today}
              days={days}
              projectName={projectNames.get(task.project)}
              {...actions}
            />
          ))}
        </GridListSection>
      ))}
    </List>
  );
}

function GroupHeader({ group: { name, tasks, hasMore } }: { group: TaskGroup }) {
  return (
    <Header $isOverdue={name === 'Overdue'}>
      {name} <Count>{hasMore ? `${tasks.length}+` : tasks.length}</Count>
    </Header>
  );
}

function NoTasks() {
  return (
    <EmptyState
      icon={<ListTodo />}
      title="You have no open tasks"
      hint="Add one above, or pick one from the board of a project."
      action={<ButtonLink to="/progress">Open Progress Tracker</ButtonLink>}
    />
  );
}

const List = styled(GridList)`
  padding-bottom: ${theme.space[2]};
  outline: none;
  ${insetFocusRing}
`;

const Header = styled(GridListHeader)<{ $isOverdue: boolean }>`
  padding: ${theme.space[4]} ${theme.gutter.card} ${theme.space[1]};
  font: 600 ${theme.text.sm};
  color: ${({ $isOverdue }) => ($isOverdue ? theme.color.danger : theme.color.text2)};
`;

const Count = styled.span`
  margin-inline-start: ${theme.space[1]};
  font: 500 ${theme.text.xs};
  color: ${theme.color.text3};
  font-variant-numeric: tabular-nums;
`;
