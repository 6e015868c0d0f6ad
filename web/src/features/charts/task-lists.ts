import type { TaskStatus } from '@atrium/proto-events/http/tasks';
import { COLUMNS, columnLabel } from '#entities/task/task-labels.ts';
import type { TaskListQuery } from '#entities/task/use-tasks.ts';
import { addDays, type Day, dateOfDay, dayLabel, dayOfDate } from '#lib/time/day.ts';
import { formatDayRange } from '#lib/time/formats.ts';

// The lists that figures open, each with an id, as it is in the URL. An id that cannot be parsed means all tasks.

type TaskList = { title: string; query: Omit<TaskListQuery, 'project'> };

export const ALL_TASKS = 'all';
export const OPEN_STATUSES = 'todo,in-progress,review';

/** Nobody is `none`. */
type Assignee = string;

/** The days are the first one, and the one after the last. */
export const completedList = (from: Date, before: Date) => `completed_${dayOfDate(from)}_${dayOfDate(before)}`;

/** Open tasks of a user that are due from a day on, or before a day, or both. */
export const dueList = (user: Assignee, { from = '', before = '' }: { from?: Day; before?: Day }) =>
  `due_${user}_${from}_${before}`;

export const undatedList = (user: Assignee) => `undated_${user}`;

export const openList = (user: Assignee) => `open_${user}`;

const DAY = String.raw`(\d{4}-\d{2}-\d{2})`;
const USER = '([0-9a-f]{24}|none)';
const COMPLETED = new RegExp(`^completed_${DAY}_${DAY}$`);
const DUE = new RegExp(`^due_${USER}_${DAY}?_${DAY}?$`);
const UNDATED = new RegExp(`^undated_${USER}$`);
const OPEN = new RegExp(`^open_${USER}$`);

const ALL: TaskList = { title: 'All tasks', query: {} };

export function toTaskList(id: string): TaskList {
  const [, completedFrom, completedBefore] = COMPLETED.exec(id) ?? [];
  if (completedFrom && completedBefore) return toCompletedList(completedFrom, completedBefore);
  const [, dueUser, from, before] = DUE.exec(id) ?? [];
  if (dueUser) return toDueList(dueUser, from, before);
  const [, undatedUser] = UNDATED.exec(id) ?? [];
  if (undatedUser) return { title: 'Open tasks without a due date', query: { ...openOf(undatedUser), due: 'none' } };
  const [, openUser] = OPEN.exec(id) ?? [];
  if (openUser) return { title: 'Open tasks', query: openOf(openUser) };
  const status = COLUMNS.find((column) => column.status === id)?.status;
  return status ? toStatusList(status) : ALL;
}

const openOf = (assignedTo: Assignee) => ({ assignedTo, status: OPEN_STATUSES });

function toStatusList(status: TaskStatus): TaskList {
  return { title: columnLabel(status), query: { status } };
}

function toCompletedList(fromDay: Day, beforeDay: Day): TaskList {
  const from = dateOfDay(fromDay);
  const before = dateOfDay(beforeDay);
  if (!from || !before) return ALL;
  return {
    title: `Completed ${rangeLabel(fromDay, beforeDay)}`,
    query: { status: 'done', completedFrom: from.toISOString(), completedBefore: before.toISOString() },
  };
}

function toDueList(user: Assignee, from: Day | undefined, before: Day | undefined): TaskList {
  const query = { ...openOf(user), ...(from && { dueFrom: from }), ...(before && { dueBefore: before }) };
  if (from && before) return { title: `Open tasks due ${rangeLabel(from, before)}`, query };
  return { title: from ? `Open tasks due from ${dayLabel(from)}` : 'Overdue tasks', query };
}

const rangeLabel = (from: Day, before: Day): string =>
  formatDayRange(dateOfDay(from) ?? new Date(), dateOfDay(addDays(before, -1)) ?? new Date());
