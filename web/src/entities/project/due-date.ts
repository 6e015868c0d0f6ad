import type { Project } from '@atrium/proto-events/http/projects';
import { type Day, dateOfDay, storedDay } from '#lib/day.ts';
import { formatTime } from '#lib/formats.ts';

type Dated = Pick<Project, 'deadline' | 'endDate'>;

export function dueDay({ deadline, endDate }: Dated): Day {
  return storedDay(deadline ?? endDate);
}

/** 'Due Nov 20, 2026' or 'Overdue since Nov 20, 2026'. */
export function dueDateLabel(project: Dated & Pick<Project, 'status'>, today: Day): string {
  const dueLabel = formatTime(dateOfDay(dueDay(project)), {
    day: 'numeric',
    month: 'short',
    year: 'numeric',
  });
  return `${isOverdue(project, today) ? 'Overdue since' : 'Due'} ${dueLabel}`;
}

/** Past its due date and neither completed nor cancelled. */
export function isOverdue(project: Dated & Pick<Project, 'status'>, today: Day): boolean {
  const day = dueDay(project);
  return day !== '' && day < today && project.status !== 'completed' && project.status !== 'cancelled';
}
