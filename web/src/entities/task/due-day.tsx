import type { Task } from '@atrium/proto-events/http/tasks';
import { styled } from 'styled-components';
import { type Day, storedDay } from '#lib/time/day.ts';
import { theme } from '#ui/theme.ts';
import { PrintedText } from '#ui/times/printed-text.tsx';
import { VisuallyHidden } from '#ui/visually-hidden.tsx';
import { dueLabel, isOverdueTask, shortDay } from './task-labels.ts';

/** When a task of a list is due; nothing without a due date. */
export function DueDay({ task, today }: { task: Task; today: Day }) {
  const day = storedDay(task.dueDate);
  if (day === '') return null;
  const isOverdue = isOverdueTask(task, today);
  return (
    <Due $isOverdue={isOverdue}>
      <VisuallyHidden>{isOverdue ? 'Overdue since ' : 'Due '}</VisuallyHidden>
      <PrintedText text={dueLabel(day, today)} printed={shortDay(day, today)} />
    </Due>
  );
}

const Due = styled.bdi<{ $isOverdue: boolean }>`
  position: relative;
  flex: none;
  font: ${theme.text.sm};
  font-variant-numeric: tabular-nums;
  color: ${({ $isOverdue }) => ($isOverdue ? theme.color.danger : theme.color.text2)};
`;
