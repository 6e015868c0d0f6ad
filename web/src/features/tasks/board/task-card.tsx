import type { Task, TaskStatus } from '@atrium/proto-events/http/tasks';
import { CalendarDays, Ellipsis, GripVertical, MessageSquare, PanelRightOpen } from 'lucide-react';
import { memo } from 'react';
import { Button } from 'react-aria-components/Button';
import { GridListItem } from 'react-aria-components/GridList';
import { styled } from 'styled-components';
import { PriorityIcon, StatusIcon } from '#entities/task/task-icons.tsx';
import { COLUMNS, isOverdueTask, shortDay } from '#entities/task/task-labels.ts';
import { Avatar } from '#entities/user/avatar.tsx';
import { useToday } from '#lib/hooks/use-now.ts';
import { storedDay } from '#lib/time/day.ts';
import { IconButton } from '#ui/icon-button.tsx';
import { Inline, Text } from '#ui/layout/primitives.ts';
import { focusRing, iconSize } from '#ui/mixins.ts';
import { Menu, MenuItem, MenuSeparator } from '#ui/overlays/menu.tsx';
import { theme } from '#ui/theme.ts';
import { VisuallyHidden } from '#ui/visually-hidden.tsx';

type Props = { task: Task; onMove: (task: Task, to: TaskStatus) => void; onOpen: (id: string) => void };

export const TaskCard = memo(function TaskCard({ task, onMove, onOpen }: Props) {
  return (
    <Card id={task._id} textValue={task.title} $movable={task.abilities.updateStatus}>
      <Inline $gap={1} $align="start">
        <Text as="strong" $clamp={3} $weight={500} $flex="fill" title={task.title} dir="auto">
          {task.title}
        </Text>
        <Tools>
          <Handle slot="drag" aria-label={`Drag ${task.title}`} isDisabled={!task.abilities.updateStatus}>
            <GripVertical />
          </Handle>
          <CardMenu task={task} onMove={(to) => onMove(task, to)} onOpen={() => onOpen(task._id)} />
        </Tools>
      </Inline>
      <CardMeta task={task} />
    </Card>
  );
});

function CardMeta({ task }: { task: Task }) {
  const today = useToday();
  const day = storedDay(task.dueDate);
  const isInProgress = task.progress > 0 && task.progress < 100;
  return (
    <Line>
      <PriorityIcon priority={task.priority} />
      {day && (
        <MetaItem $isOverdue={isOverdueTask(task, today)} title={isOverdueTask(task, today) ? 'Overdue' : 'Due'}>
          <CalendarDays aria-hidden="true" />
          <VisuallyHidden>{isOverdueTask(task, today) ? 'Overdue since ' : 'Due '}</VisuallyHidden>
          {shortDay(day, today)}
        </MetaItem>
      )}
      {task.commentCount > 0 && (
        <MetaItem>
          <MessageSquare aria-hidden="true" />
          {task.commentCount}
          <VisuallyHidden>{task.commentCount === 1 ? ' comment' : ' comments'}</VisuallyHidden>
        </MetaItem>
      )}
      {isInProgress && <MetaItem>{task.progress}%</MetaItem>}
      <Assignee>{task.assignedTo && <Avatar user={task.assignedTo} size={24} showsName />}</Assignee>
    </Line>
  );
}

const Card = styled(GridListItem)<{ $movable: boolean }>`
  position: relative;
  display: block;
  padding: ${theme.space[3]};
  border: 1px solid ${theme.color.line};
  border-radius: ${theme.radius.md};
  background: ${theme.color.surface};
  box-shadow: ${theme.shadow.low};
  outline: none;
  cursor: ${({ $movable }) => ($movable ? 'grab' : 'pointer')};
  &[data-hovered] {
    border-color: ${theme.color.lineStrong};
  }
  ${focusRing}
  &[data-dragging] {
    opacity: 0.45;
  }
`;

/* Shown over the card on hover and focus to reduce visual clutter; always visible on touch devices. */
const Tools = styled.div`
  @media (hover: hover) {
    position: absolute;
    top: 5px;
    inset-inline-end: 5px;
    display: flex;
    border-radius: ${theme.radius.md};
    background: ${theme.color.surface};
    opacity: 0;
    transition: opacity ${theme.motion.fast};
    [data-hovered] &,
    [role='row']:focus-within &,
    [role='row']:focus &,
    &:has([aria-expanded='true']) {
      opacity: 1;
    }
  }
  @media (hover: none) {
    display: flex;
    margin: -10px -10px -10px 0;
  }
`;

const Handle = styled(Button)`
  display: none;
  place-items: center;
  width: 24px;
  height: 32px;
  padding: 0;
  border: 0;
  border-radius: ${theme.radius.md};
  background: transparent;
  color: ${theme.color.text3};
  cursor: grab;
  ${focusRing}
  ${iconSize(16)}
  @media (hover: hover) {
    &:not([data-disabled]) {
      display: inline-grid;
    }
  }
`;

const Line = styled.div`
  display: flex;
  flex-wrap: wrap;
  align-items: center;
  gap: ${theme.space[1]} ${theme.space[3]};
  min-height: 24px;
  margin-top: ${theme.space[2]};
`;

const MetaItem = styled.span<{ $isOverdue?: boolean }>`
  position: relative;
  display: inline-flex;
  align-items: center;
  gap: 4px;
  font: ${theme.text.xs};
  font-variant-numeric: tabular-nums;
  color: ${({ $isOverdue }) => ($isOverdue ? theme.color.danger : theme.color.text2)};
  ${iconSize(14)}
`;

const Assignee = styled.span`
  display: flex;
  margin-inline-start: auto;
`;

type CardMenuProps = { task: Task; onMove: (to: TaskStatus) => void; onOpen: () => void };

/** An alternative to dragging, for touch and keyboard. */
function CardMenu({ task, onMove, onOpen }: CardMenuProps) {
  return (
    <Menu
      label={`Actions for ${task.title}`}
      trigger={
        <IconButton label={`Actions for ${task.title}`}>
          <Ellipsis />
        </IconButton>
      }
    >
      <MenuItem icon={<PanelRightOpen />} onAction={onOpen}>
        Open
      </MenuItem>
      {task.abilities.updateStatus && <MenuSeparator />}
      {task.abilities.updateStatus &&
        COLUMNS.filter(({ status }) => status !== task.status).map(({ status, label }) => (
          <MenuItem key={status} icon={<StatusIcon status={status} />} onAction={() => onMove(status)}>
            {`Move to ${label}`}
          </MenuItem>
        ))}
    </Menu>
  );
}
