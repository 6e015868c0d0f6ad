import type { ProjectHistory, TaskCounts } from '@atrium/proto-events/http/project-history';
import { type Day, dayLabel } from '#lib/time/day.ts';
import type { ChartCell, ChartTable } from '#ui/charts/data-table.tsx';
import { listGaps } from '#ui/charts/gaps.ts';
import type { LinePoint } from '#ui/charts/line-chart.tsx';
import { dateAndTime } from '#ui/times/time-format.ts';

type Snapshot = ProjectHistory['snapshots'][number];

/** The current state, which is newer than the last snapshot. */
export type Current = { now: number; progress: number; tasks: TaskCounts };

export const totalOf = ({ todo, inProgress, review, done }: TaskCounts) => todo + inProgress + review + done;

type Values = (state: Pick<Snapshot, 'progress' | 'tasks'>) => readonly number[];

/** Returns the snapshots and, as the last point, the current state. */
export function toPoints(snapshots: readonly Snapshot[], current: Current, values: Values): LinePoint[] {
  const recorded = snapshots.map((snapshot) => ({
    day: snapshot.day,
    time: Date.parse(snapshot.recordedAt),
    values: values(snapshot),
  }));
  const today = new Date(current.now).toISOString().slice(0, 10);
  return [...recorded, { day: today, time: current.now, values: values(current) }];
}

export const timeLabel = ({ time }: LinePoint): string => dateAndTime(time);

/** The points as a table, in which a day that was not recorded has a row without values. */
export function toTable(points: readonly LinePoint[], names: readonly string[], header = 'Recorded'): ChartTable {
  const missing = new Map<LinePoint, Day[]>(listGaps(points).map(({ after, missingDays }) => [after, missingDays]));
  const rows = points.flatMap((point): ChartCell[][] => [
    ...(missing.get(point) ?? []).map((day) => [dayLabel(day), ...names.map(() => null)]),
    [timeLabel(point), ...point.values],
  ]);
  return { header: [header, ...names], rows };
}
