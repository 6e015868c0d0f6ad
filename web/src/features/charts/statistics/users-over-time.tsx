import { useUserHistory } from '#entities/statistics/use-statistics.ts';
import { formatNumber } from '#lib/number-formats.ts';
import { dayLabel } from '#lib/time/day.ts';
import { formatTime } from '#lib/time/formats.ts';
import { ChartContent } from '#ui/charts/chart-content.tsx';
import { ChartFrame } from '#ui/charts/chart-frame.tsx';
import { LineChart, type LinePoint } from '#ui/charts/line-chart.tsx';
import { theme } from '#ui/theme.ts';
import { cumulate, type Period } from './cumulate.ts';
import { STATUSES, UsersNow } from './users-now.tsx';

const SERIES = [
  { name: 'Active', color: theme.color.success },
  { name: 'Invited', color: theme.color.warning },
  { name: 'Inactive', color: theme.color.text2 },
];

const describePoint = ({ day, values }: LinePoint) =>
  `${dayLabel(day)}: ${STATUSES.map((status, index) => `${formatNumber(values[index] ?? 0)} ${status}`).join(', ')}`;

export const formatDayTick = (time: Date) => formatTime(time, { day: 'numeric', month: 'short' });

export function UsersOverTime({ period }: { period: Period }) {
  const history = useUserHistory();
  return (
    <ChartContent query={history} failure="Failed to load the number of people" height={320}>
      {({ days }) => {
        const points = cumulate(days, STATUSES, period);
        const [active = 0, invited = 0, inactive = 0] = points.at(-1)?.values ?? [];
        return (
          <ChartFrame
            title="People over time"
            description="People who had been added by each day, with the status that they have now. Deleted people are not included."
            table={{
              header: ['Day', ...SERIES.map(({ name }) => name)],
              rows: points.map(({ day, values }) => [dayLabel(day), ...values]),
            }}
            fileName="people-over-time"
          >
            <LineChart
              label="People over time"
              points={points}
              series={SERIES}
              unit="count"
              formatTick={formatDayTick}
              pointText={describePoint}
              current={<UsersNow counts={{ active, invited, inactive }} />}
            />
          </ChartFrame>
        );
      }}
    </ChartContent>
  );
}
