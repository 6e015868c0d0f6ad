import type { Task, TaskStatus } from '@atrium/proto-events/http/tasks';
import { type Day, dateOfDay, storedDay } from '#lib/time/day.ts';
import { formatTime } from '#lib/time/formats.ts';

export const COLUMNS: readonly { status: TaskStatus; label: string }[] = [
  { status: 'todo', label: 'To do' },
  { status: 'in-progress', label: 'In progress' },
  { status: 'review', label: 'Review' },
  { status: 'done', label: 'Done' },
];

export const TASK_STATUS_OPTIONS = COLUMNS.map(({ status, label }) => ({ value: status, label }));

export function columnLabel(status: TaskStatus): string {
  return COLUMNS.find((column) => column.status === status)?.label ?? status;
}

export function shortDay(day: Day, today: Day): string {
  const isThisYear = day.slice(0, 4) === today.slice(0, 4);
  const year = isThisYear ? {} : ({ year: 'numeric' } as const);
  return formatTime(dateOfDay(day), { day: 'numeric', month: 'short', ...year });
}

export const dueLabel = (day: Day, today: Day): string => (day === today ? 'Today' : shortDay(day, today));

export function isOverdueTask(task: Pick<Task, 'dueDate' | 'status'>, today: Day): boolean {
  const day = storedDay(task.dueDate);
  return day !== '' && day < today && task.status !== 'done';
}
