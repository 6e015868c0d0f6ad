import type { Project } from '@atrium/proto-events/http/projects';
import { type Day, dateOfDay, storedDay } from '#lib/time/day.ts';
import { formatTime } from '#lib/time/formats.ts';
import type { PillTone } from '#ui/pill.tsx';

type Status = Project['status'];
type Priority = Project['priority'];

type DisplayStatus = { label: 'Active' | 'Completed' | 'Paused' | 'Planning'; tone: PillTone };

export const canEditProject = ({ abilities }: Project): boolean =>
  abilities.update || abilities.updateProgress || abilities.delete;

/** The label of a status on a card: cancelled and not-started both read 'Planning'. */
export function displayStatus(status: Status): DisplayStatus {
  if (status === 'in-progress') return { label: 'Active', tone: 'accent' };
  if (status === 'completed') return { label: 'Completed', tone: 'success' };
  if (status === 'on-hold') return { label: 'Paused', tone: 'warning' };
  return { label: 'Planning', tone: 'neutral' };
}

export const STATUS_OPTIONS: readonly { value: Status; label: string }[] = [
  { value: 'not-started', label: 'Not Started' },
  { value: 'in-progress', label: 'In Progress' },
  { value: 'on-hold', label: 'On Hold' },
  { value: 'completed', label: 'Completed' },
  { value: 'cancelled', label: 'Cancelled' },
];

export const INITIAL_STATUS_OPTIONS = STATUS_OPTIONS.slice(0, 3);

export function displayPriority(priority: Priority): 'high' | 'medium' | 'low' {
  return priority === 'urgent' ? 'high' : priority;
}

export function canHaveProgress(status: string): boolean {
  return status === 'in-progress' || status === 'completed';
}

type Dated = Pick<Project, 'deadline' | 'endDate'>;

export function dueDay({ deadline, endDate }: Dated): Day {
  return storedDay(deadline ?? endDate);
}

export function dueDateLabel(project: Dated & Pick<Project, 'status'>, today: Day): string {
  const dueLabel = formatTime(dateOfDay(dueDay(project)), {
    day: 'numeric',
    month: 'short',
    year: 'numeric',
  });
  return `${isOverdue(project, today) ? 'Overdue since' : 'Due'} ${dueLabel}`;
}

export function isOverdue(project: Dated & Pick<Project, 'status'>, today: Day): boolean {
  const day = dueDay(project);
  return day !== '' && day < today && project.status !== 'completed' && project.status !== 'cancelled';
}
