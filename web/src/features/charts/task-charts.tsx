import type { ProjectHistory, TaskCounts } from '@atrium/proto-events/http/project-history';
import { StatusIcon } from '#entities/task/task-icons.tsx';
import { COLUMNS } from '#entities/task/task-labels.ts';
import { formatNumber } from '#lib/number-formats.ts';
import { weekStartIndex } from '#lib/time/date-preferences.ts';
import { formatDayRange, formatTime } from '#lib/time/formats.ts';
import { plusDays } from '#lib/time/weeks.ts';
import { BarRows } from '#ui/charts/bar-rows.tsx';
import { ChartFrame } from '#ui/charts/chart-frame.tsx';
import { ColumnChart } from '#ui/charts/column-chart.tsx';
import { totalOf } from './history-points.ts';
import { ALL_TASKS, completedList } from './task-lists.ts';
import { countByWeek } from './weeks.ts';

export const tasksLabel = (count: number) => `${formatNumber(count)} ${count === 1 ? 'task' : 'tasks'}`;

type OpenList = (list: string) => void;
type TasksByStateProps = { counts: TaskCounts; onOpen: OpenList };

export function TasksByState({ counts, onOpen }: TasksByStateProps) {
  const total = totalOf(counts);
  const countOf = { todo: counts.todo, 'in-progress': counts.inProgress, review: counts.review, done: counts.done };
  const rows = COLUMNS.map(({ status, label }) => ({
    key: status,
    name: label,
    icon: <StatusIcon status={status} />,
    value: countOf[status],
    unit: `of ${tasksLabel(total)}`,
    onOpen: () => onOpen(status),
  }));
  const all = { value: total, label: `All: ${total}`, onOpen: () => onOpen(ALL_TASKS) };
  const table = {
    header: ['State', 'Tasks'],
    rows: [
      ...rows.map(({ name, value, onOpen: open }) => [name, { value, label: `${name}: ${value}`, onOpen: open }]),
      ['All', all],
    ],
  };
  return (
    <ChartFrame
      title="Tasks by state"
      description={`${tasksLabel(total)} in total.`}
      table={table}
      fileName="tasks-by-state"
    >
      <BarRows label="Tasks by state" rows={rows} />
    </ChartFrame>
  );
}

type CompletedTasksProps = { history: ProjectHistory; from: Date; now: number; onOpen: OpenList };

export function CompletedTasks({ history, from, now, onOpen }: CompletedTasksProps) {
  const weeks = countByWeek(history.completions, { from, now: new Date(now), firstDay: weekStartIndex() });
  const columns = weeks.map(({ start, end, count, isCurrent }) => ({
    key: completedList(start, end),
    value: count,
    tick: formatTime(start, { day: 'numeric', month: 'short' }),
    label: `${formatDayRange(start, plusDays(end, -1))}${isCurrent ? ', so far' : ''}: ${tasksLabel(count)} completed`,
    isUnfinished: isCurrent,
    onOpen: () => onOpen(completedList(start, end)),
  }));
  const table = {
    header: ['Week', 'Completed tasks'],
    rows: columns.map(({ value, label, onOpen: open }) => [label.split(':')[0] ?? '', { value, label, onOpen: open }]),
  };
  const total = weeks.reduce((sum, { count }) => sum + count, 0);
  return (
    <ChartFrame
      title="Completed tasks per week"
      description={`${describeCompletions(total, weeks[0]?.start ?? from)}${describeUndated(history.undatedCompletions)}`}
      table={table}
      fileName="completed-tasks-per-week"
    >
      <ColumnChart label="Completed tasks per week" columns={columns} />
    </ChartFrame>
  );
}

function describeCompletions(total: number, from: Date): string {
  const since = formatTime(from, { day: 'numeric', month: 'short', year: 'numeric' });
  return `${tasksLabel(total)} completed since ${since} and still done. The week in stripes is not over.`;
}

function describeUndated(count: number): string {
  if (count === 0) return '';
  return ` Not included: ${tasksLabel(count)} done before completion times were recorded.`;
}
