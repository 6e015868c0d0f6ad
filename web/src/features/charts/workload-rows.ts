import type { Workload } from '@atrium/proto-events/http/workload';
import { displayName } from '#entities/user/user-labels.ts';
import { addDays, type Day, dateOfDay } from '#lib/time/day.ts';
import { formatDayRange, formatTime } from '#lib/time/formats.ts';
import type { ChartTable } from '#ui/charts/data-table.tsx';
import type { MatrixColumn, MatrixRow } from '#ui/charts/matrix-chart.tsx';
import { tasksLabel } from './task-charts.tsx';
import { dueList, openList, undatedList } from './task-lists.ts';

type Row = Workload['data'][number];

export type WorkloadColumn = MatrixColumn & {
  /** As part of a sentence, such as 'due Dec 7 – 13'. */
  phrase: string;
  countOf: (row: Row) => number;
  listOf: (user: string) => string;
};

/** The figures of a user. In the first week, tasks are counted from today on. */
export function toColumns(weeks: readonly Day[], today: Day): WorkloadColumn[] {
  const end = addDays(weeks.at(-1) ?? today, 7);
  return [
    {
      key: 'overdue',
      name: 'Overdue',
      tone: 'warning',
      phrase: 'overdue',
      countOf: ({ overdue }) => overdue,
      listOf: (user) => dueList(user, { before: today }),
    },
    ...weeks.map((week, index): WorkloadColumn => {
      const from = index === 0 ? today : week;
      const range = rangeLabel(from, addDays(week, 6));
      return {
        key: week,
        name: index === 0 ? 'This week' : startLabel(week),
        phrase: `due ${range}`,
        countOf: (row) => row.weeks[index] ?? 0,
        listOf: (user) => dueList(user, { from, before: addDays(week, 7) }),
      };
    }),
    {
      key: 'later',
      name: 'Later',
      phrase: 'due later',
      countOf: ({ later }) => later,
      listOf: (user) => dueList(user, { from: end }),
    },
    {
      key: 'undated',
      name: 'No due date',
      tone: 'muted',
      phrase: 'without a due date',
      countOf: ({ undated }) => undated,
      listOf: undatedList,
    },
    { key: 'total', name: 'All open', tone: 'total', phrase: 'open', countOf: totalOf, listOf: openList },
  ];
}

const totalOf = ({ overdue, weeks, later, undated }: Row): number =>
  weeks.reduce((sum, count) => sum + count, overdue + later + undated);

const startLabel = (day: Day): string =>
  `Week of ${formatTime(dateOfDay(day), { day: 'numeric', month: 'short' }).replaceAll(' ', '\u00a0')}`;

const rangeLabel = (from: Day, to: Day): string =>
  formatDayRange(dateOfDay(from) ?? new Date(), dateOfDay(to) ?? new Date());

const UNASSIGNED = 'none';

export function toRows(
  data: readonly Row[],
  columns: readonly WorkloadColumn[],
  onOpen: (list: string) => void,
): MatrixRow[] {
  return data.map((row) => {
    const user = row.user?._id ?? UNASSIGNED;
    const name = row.user ? displayName(row.user) : 'Unassigned';
    return {
      key: user,
      name,
      cells: columns.map(({ phrase, countOf, listOf }) => ({
        value: countOf(row),
        label: `${name}: ${tasksLabel(countOf(row))} ${phrase}`,
        onOpen: () => onOpen(listOf(user)),
      })),
    };
  });
}

export const toTable = (columns: readonly WorkloadColumn[], rows: readonly MatrixRow[]): ChartTable => ({
  header: ['Assignee', ...columns.map(({ name }) => name)],
  rows: rows.map(({ name, cells }) => [name, ...cells]),
});
