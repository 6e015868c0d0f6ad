import type { Task } from '@atrium/proto-events/http/tasks';
import { CalendarArrowUp, CalendarDays, CalendarPlus, Check, Ellipsis } from 'lucide-react';
import { GridListItem } from 'react-aria-components/GridList';
import { styled } from 'styled-components';
import { priorityLabel } from '#entities/priority.ts';
import { DueDay } from '#entities/task/due-day.tsx';
import { PriorityIcon } from '#entities/task/task-icons.tsx';
import { columnLabel, dueLabel, isOverdueTask } from '#entities/task/task-labels.ts';
import { type Day, storedDay } from '#lib/time/day.ts';
import { IconButton } from '#ui/icon-button.tsx';
import { alignWithParent, captionStyles, clampLines, ellipsis, iconSize, insetFocusRing } from '#ui/mixins.ts';
import { Menu, MenuItem, MenuSeparator } from '#ui/overlays/menu.tsx';
import { theme } from '#ui/theme.ts';
import { isPostponed } from './use-task-changes.ts';

export type TaskRowActions = {
  onComplete: (task: Task) => void;
  onTomorrow: (task: Task) => void;
  onNextWeek: (task: Task) => void;
  onChooseDate: (task: Task) => void;
};

/** The days to which tasks are postponed. */
export type PostponeDays = { tomorrow: Day; nextWeek: Day };

type Props = TaskRowActions & { task: Task; today: Day; days: PostponeDays; projectName: string | undefined };

export function TaskRow({ task, today, days, projectName, ...actions }: Props) {
  return (
    <Row id={task._id} textValue={describe(task, today)}>
      <Complete
        label={`Complete ${task.title}`}
        isDisabled={!task.abilities.updateStatus}
        onPress={() => actions.onComplete(task)}
      >
        <Check />
      </Complete>
      <Text>
        <Title dir="auto" title={task.title}>
          {task.title}
        </Title>
        <Meta>
          {projectName !== undefined && <span dir="auto">{projectName}</span>}
          {task.status !== 'todo' && <span>{columnLabel(task.status)}</span>}
        </Meta>
      </Text>
      <DueDay task={task} today={today} />
      <PriorityIcon priority={task.priority} />
      <RowMenu task={task} days={days} {...actions} />
    </Row>
  );
}

/** The row, as screen readers announce it. */
function describe(task: Task, today: Day): string {
  const day = storedDay(task.dueDate);
  const due = day && `${isOverdueTask(task, today) ? 'overdue since' : 'due'} ${dueLabel(day, today)}`;
  return [task.title, due, `${priorityLabel(task.priority)} priority`].filter(Boolean).join(', ');
}

type RowMenuProps = TaskRowActions & Pick<Props, 'task' | 'days'>;

function RowMenu({ task, days, onComplete, onTomorrow, onNextWeek, onChooseDate }: RowMenuProps) {
  const { update, updateStatus } = task.abilities;
  if (!update && !updateStatus) return null;
  return (
    <Menu
      label={`Actions for ${task.title}`}
      trigger={
        <IconButton label={`Actions for ${task.title}`}>
          <Ellipsis />
        </IconButton>
      }
    >
      {updateStatus && (
        <MenuItem icon={<Check />} onAction={() => onComplete(task)}>
          Complete
        </MenuItem>
      )}
      {update && <MenuSeparator />}
      {update && isPostponed(task, days.tomorrow) && (
        <MenuItem icon={<CalendarArrowUp />} onAction={() => onTomorrow(task)}>
          Postpone to tomorrow
        </MenuItem>
      )}
      {update && isPostponed(task, days.nextWeek) && (
        <MenuItem icon={<CalendarPlus />} onAction={() => onNextWeek(task)}>
          Postpone to next week
        </MenuItem>
      )}
      {update && (
        <MenuItem icon={<CalendarDays />} onAction={() => onChooseDate(task)}>
          Choose a date…
        </MenuItem>
      )}
    </Menu>
  );
}

const Row = styled(GridListItem)`
  display: flex;
  align-items: center;
  gap: ${theme.space[3]};
  min-height: 56px;
  padding-block: ${theme.space[2]};
  padding-inline: calc(${theme.gutter.card} - 3px) ${theme.space[3]};
  outline: none;
  cursor: pointer;
  &[data-hovered] {
    background: ${theme.color.hover};
  }
  ${insetFocusRing}
  ${theme.media.small} {
    gap: ${theme.space[2]};
    padding-inline: ${theme.space[1]};
  }
  @media print {
    break-inside: avoid;
    padding-inline: ${theme.gutter.card};
    &[data-hovered] {
      background: none;
    }
  }
`;

/* A circle that shows its check mark when it is used; as large as a touch target on a phone. */
const Complete = styled(IconButton)`
  position: relative;
  width: 24px;
  height: 24px;
  ${theme.media.small} {
    width: 44px;
    height: 44px;
  }
  border-radius: ${theme.radius.full};
  &::before {
    content: '';
    position: absolute;
    inset: calc(50% - 9px);
    border: 1.5px solid ${theme.color.lineStrong};
    border-radius: ${theme.radius.full};
  }
  &[data-hovered],
  &[data-focus-visible] {
    background: transparent;
    color: ${theme.color.success};
  }
  &[data-hovered]::before,
  &[data-focus-visible]::before {
    border-color: ${theme.color.success};
  }
  ${iconSize(12)}
  svg {
    opacity: 0;
    stroke-width: 3;
  }
  &[data-hovered] svg,
  &[data-focus-visible] svg {
    opacity: 1;
  }
`;

const Text = styled.div`
  flex: 1;
  min-width: 0;
`;

const Title = styled.p`
  ${ellipsis}
  ${alignWithParent}
  font-weight: 500;
  ${theme.media.small} {
    ${clampLines(2)}
    white-space: normal;
  }
  @media print {
    display: block;
    overflow: visible;
    white-space: normal;
  }
`;

const Meta = styled.p`
  ${captionStyles}
  ${ellipsis}
  > span + span::before {
    content: ' · ';
  }
`;
