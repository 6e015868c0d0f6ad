import { useNavigate } from 'react-router-dom';
import { useActivityHistory } from '#entities/statistics/use-statistics.ts';
import { formatNumber } from '#lib/number-formats.ts';
import { dateOfDay, dayLabel } from '#lib/time/day.ts';
import { formatTime } from '#lib/time/formats.ts';
import { ChartContent } from '#ui/charts/chart-content.tsx';
import { ChartFrame } from '#ui/charts/chart-frame.tsx';
import { ColumnChart } from '#ui/charts/column-chart.tsx';

const entriesLabel = (count: number) => `${formatNumber(count)} ${count === 1 ? 'entry' : 'entries'}`;

/** Each column opens the entries of its day in the activity log. */
export function ActivityPerDay({ days }: { days: number }) {
  const history = useActivityHistory(days);
  const navigate = useNavigate();
  return (
    <ChartContent query={history} failure="Failed to load the activity" height={320}>
      {(loaded) => {
        const columns = loaded.days.map(({ day, count }, index) => ({
          key: day,
          value: count,
          tick: formatTime(dateOfDay(day), { day: 'numeric', month: 'short' }),
          label: `${dayLabel(day)}: ${entriesLabel(count)}`,
          isUnfinished: index === loaded.days.length - 1,
          onOpen: () => void navigate(`/activity?from=${day}&to=${day}`),
        }));
        return (
          <ChartFrame
            title="Activity per day"
            description={`Sign-ins, denied access, and changes to accounts and users in the last ${loaded.days.length} days. The day in stripes is not over.`}
            table={{
              header: ['Day', 'Entries'],
              rows: columns.map(({ key, value, label, onOpen }) => [dayLabel(key), { value, label, onOpen }]),
            }}
            fileName="activity-per-day"
          >
            <ColumnChart label="Activity per day" columns={columns} />
          </ChartFrame>
        );
      }}
    </ChartContent>
  );
}
