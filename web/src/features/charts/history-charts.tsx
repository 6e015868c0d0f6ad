import type { ProjectHistory } from '@atrium/proto-events/http/project-history';
import { formatTime } from '#lib/time/formats.ts';
import { ChartFrame } from '#ui/charts/chart-frame.tsx';
import { LineChart, type LinePoint } from '#ui/charts/line-chart.tsx';
import { theme } from '#ui/theme.ts';
import { type Current, timeLabel, toPoints, toTable, totalOf } from './history-points.ts';

type Props = { history: ProjectHistory; current: Current };

const RECORDED = 'Recorded once per day; striped periods were not recorded.';
const NOT_YET = 'Nothing has been recorded yet. Atrium records projects once per day.';

const describeRecords = ({ snapshots }: ProjectHistory) => (snapshots.length === 0 ? NOT_YET : RECORDED);

const formatTick = (time: Date) => formatTime(time, { day: 'numeric', month: 'short' });

const BURN_UP_SERIES = [
  { name: 'Done', color: theme.color.success },
  { name: 'All', color: theme.color.text2 },
];

export function BurnUp({ history, current }: Props) {
  const points = toPoints(history.snapshots, current, ({ tasks }) => [tasks.done, totalOf(tasks)]);
  const describePoint = (point: LinePoint) =>
    `${timeLabel(point)}: ${point.values[0]} of ${point.values[1]} tasks done`;
  return (
    <ChartFrame
      title="Burn-up"
      description={`Done tasks and all tasks. ${describeRecords(history)}`}
      table={toTable(points, ['Done tasks', 'All tasks'])}
      fileName="burn-up"
    >
      <LineChart
        label="Burn-up"
        points={points}
        series={BURN_UP_SERIES}
        unit="count"
        formatTick={formatTick}
        pointText={describePoint}
      />
    </ChartFrame>
  );
}

const PROGRESS_SERIES = [{ name: 'Now', color: theme.color.accent }];

export function ProgressOverTime({ history, current }: Props) {
  const points = toPoints(history.snapshots, current, ({ progress }) => [progress]);
  return (
    <ChartFrame
      title="Progress over time"
      description={`As set by project managers. ${describeRecords(history)}`}
      table={toTable(points, ['Progress in percent'])}
      fileName="progress-over-time"
    >
      <LineChart
        label="Progress over time"
        points={points}
        series={PROGRESS_SERIES}
        unit="percent"
        formatTick={formatTick}
        pointText={(point) => `${timeLabel(point)}: ${point.values[0]}%`}
      />
    </ChartFrame>
  );
}
