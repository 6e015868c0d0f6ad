import type { Task, TaskStatus } from '@atrium/proto-events/http/tasks';
import { type Day, dateOfDay } from '../../lib/day.ts';
import { formatTime } from '../../lib/formats.ts';

type Priority = Task['priority'];

/** The columns of the board, in their order. */
export const COLUMNS: readonly { status: TaskStatus; label: string }[] = [
  { status: 'todo', label: 'To do' },
  { status: 'in-progress', label: 'In progress' },
  { status: 'review', label: 'Review' },
  { status: 'done', label: 'Done' },
];

export const TASK_STATUS_OPTIONS = COLUMNS.map(({ status, label }) => ({ value: status, label }));

export const TASK_PRIORITY_OPTIONS: readonly { value: Priority; label: string }[] = [
  { value: 'urgent', label: 'Urgent' },
  { value: 'high', label: 'High' },
  { value: 'medium', label: 'Medium' },
  { value: 'low', label: 'Low' },
];

export function columnLabel(status: TaskStatus): string {
  return COLUMNS.find((column) => column.status === status)?.label ?? status;
}

export function priorityLabel(priority: Priority): string {
  return TASK_PRIORITY_OPTIONS.find((option) => option.value === priority)?.label ?? priority;
}

/** A day of a task as it was given: it is stored as its first moment in UTC. Empty without one. */
export function dayOf(time: string | null | undefined): Day {
  return (time ?? '').slice(0, 10);
}

/** '20 Nov', with the year where it is another than today's. */
export function shortDay(day: Day, today: Day): string {
  const isThisYear = day.slice(0, 4) === today.slice(0, 4);
  const year = isThisYear ? {} : ({ year: 'numeric' } as const);
  return formatTime(dateOfDay(day), { day: 'numeric', month: 'short', ...year });
}

/** Past its day and not done. */
export function isLate(task: Pick<Task, 'dueDate' | 'status'>, today: Day): boolean {
  const day = dayOf(task.dueDate);
  return day !== '' && day < today && task.status !== 'done';
}
