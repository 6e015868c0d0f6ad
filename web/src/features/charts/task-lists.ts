import type { listProjectTasks, TaskStatus } from '@atrium/proto-events/http/tasks';
import { COLUMNS, columnLabel } from '#entities/task/task-labels.ts';
import type { CallInput } from '#lib/api/api.ts';
import { type Day, dateOfDay, dayOfDate } from '#lib/time/day.ts';
import { formatDayRange } from '#lib/time/formats.ts';
import { addDays } from './weeks.ts';

type Query = NonNullable<CallInput<typeof listProjectTasks>['query']>;

type TaskList = { title: string; query: Pick<Query, 'status' | 'completedFrom' | 'completedBefore'> };

const COMPLETED = /^completed_(\d{4}-\d{2}-\d{2})_(\d{4}-\d{2}-\d{2})$/;

export const ALL_TASKS = 'all';

/** The id of a list, as it is in the URL. The days are the first one, and the one after the last. */
export const completedList = (from: Date, before: Date) => `completed_${dayOfDate(from)}_${dayOfDate(before)}`;

/** Returns the list of an id; an unknown id means all tasks. */
export function toTaskList(id: string): TaskList {
  const [, from, before] = COMPLETED.exec(id) ?? [];
  if (from && before) return toCompletedList(from, before);
  const status = COLUMNS.find((column) => column.status === id)?.status;
  return status ? toStatusList(status) : { title: 'All tasks', query: {} };
}

function toStatusList(status: TaskStatus): TaskList {
  return { title: columnLabel(status), query: { status } };
}

function toCompletedList(fromDay: Day, beforeDay: Day): TaskList {
  const from = dateOfDay(fromDay);
  const before = dateOfDay(beforeDay);
  if (!from || !before) return { title: 'All tasks', query: {} };
  return {
    title: `Completed ${formatDayRange(from, addDays(before, -1))}`,
    query: { status: 'done', completedFrom: from.toISOString(), completedBefore: before.toISOString() },
  };
}
