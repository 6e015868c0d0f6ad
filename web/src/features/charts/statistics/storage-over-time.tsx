import { useDocumentStorage, useMessageStorage } from '#entities/statistics/use-statistics.ts';
import { formatNumber } from '#lib/number-formats.ts';
import { type Day, dayLabel } from '#lib/time/day.ts';
import { ChartContent } from '#ui/charts/chart-content.tsx';
import { ChartFrame } from '#ui/charts/chart-frame.tsx';
import { LineChart, type LinePoint } from '#ui/charts/line-chart.tsx';
import { theme } from '#ui/theme.ts';
import { cumulate, type Period } from './cumulate.ts';
import { formatDayTick } from './users-over-time.tsx';

const SERIES = [
  { name: 'All', color: theme.color.accent },
  { name: 'Documents', color: theme.color.text2 },
];

type StoredOnDay = { day: Day; bytes: number };

export function StorageOverTime({ period }: { period: Period }) {
  const documents = useDocumentStorage();
  const messages = useMessageStorage();
  const query = {
    data: documents.data && messages.data && { documents: documents.data.days, messages: messages.data.days },
    error: documents.error ?? messages.error,
    isValidating: documents.isValidating || messages.isValidating,
    mutate: () => Promise.all([documents.mutate(), messages.mutate()]),
  };
  return (
    <ChartContent query={query} failure="Failed to load the storage" height={320}>
      {(stored) => <StorageChart {...stored} period={period} />}
    </ChartContent>
  );
}

type StorageChartProps = { documents: readonly StoredOnDay[]; messages: readonly StoredOnDay[]; period: Period };

function StorageChart({ documents, messages, period }: StorageChartProps) {
  const points = cumulate(addUp(documents, messages), ['all', 'documents'], period);
  const unit = toUnit(Math.max(0, ...points.map(({ values }) => values[0] ?? 0)));
  const format = (value: number) => `${formatNumber(Number(value.toFixed(1)))} ${unit.name}`;
  const scaled = points.map((point) => ({ ...point, values: point.values.map((bytes) => bytes / unit.bytes) }));
  const describePoint = ({ day, values: [all = 0, ofDocuments = 0] }: LinePoint) =>
    `${dayLabel(day)}: ${format(all)}, of which ${format(ofDocuments)} documents`;
  return (
    <ChartFrame
      title="Storage over time"
      description="Files of documents and messages that are stored now, by the day on which they were added. Deleted files are not included."
      table={{
        header: ['Day', 'Documents in bytes', 'Messages in bytes', 'All in bytes'],
        rows: points.map(({ day, values: [all = 0, ofDocuments = 0] }) => [
          dayLabel(day),
          ofDocuments,
          all - ofDocuments,
          all,
        ]),
      }}
      fileName="storage-over-time"
    >
      <LineChart
        label="Storage over time"
        points={scaled}
        series={SERIES}
        unit="count"
        format={format}
        formatTick={formatDayTick}
        pointText={describePoint}
      />
    </ChartFrame>
  );
}

/** Returns the days of both, in their order. */
function addUp(documents: readonly StoredOnDay[], messages: readonly StoredOnDay[]) {
  const days = [
    ...documents.map(({ day, bytes }) => ({ day, all: bytes, documents: bytes })),
    ...messages.map(({ day, bytes }) => ({ day, all: bytes, documents: 0 })),
  ];
  return days.sort((a, b) => a.day.localeCompare(b.day));
}

const UNITS = [
  { name: 'GB', bytes: 1024 ** 3 },
  { name: 'MB', bytes: 1024 ** 2 },
  { name: 'KB', bytes: 1024 },
] as const;

const toUnit = (max: number) => UNITS.find(({ bytes }) => max >= bytes) ?? UNITS[2];
