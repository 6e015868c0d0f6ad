import { CalendarClock } from 'lucide-react';
import { useWorkload } from '#entities/task/use-workload.ts';
import { useToday } from '#lib/hooks/use-now.ts';
import { ChartContent } from '#ui/charts/chart-content.tsx';
import { ChartFrame } from '#ui/charts/chart-frame.tsx';
import { MatrixChart } from '#ui/charts/matrix-chart.tsx';
import { EmptyState } from '#ui/pages/empty-state.tsx';
import { toColumns, toRows, toTable } from './workload-rows.ts';

type Props = {
  /** `users` are ids with commas between them. */
  query: { projectId: string } | { users: string };
  /** Whose tasks are counted, in a sentence. */
  description: string;
  onOpen: (list: string) => void;
};

/** The open tasks of users by the week in which they are due. */
export function Workload({ query, description, onOpen }: Props) {
  const today = useToday();
  const workload = useWorkload({ ...query, today });
  return (
    <ChartContent query={workload} failure="Failed to load the workload" height={240}>
      {(loaded) => {
        const columns = toColumns(loaded.weeks, today);
        const rows = toRows(loaded.data, columns, onOpen);
        return (
          <ChartFrame
            title="Weekly workload"
            description={`${description} Overdue tasks are counted separately, not in their week. Atrium has no estimates of hours.`}
            table={toTable(columns, rows)}
            fileName="weekly-workload"
          >
            {rows.length > 0 ? (
              <MatrixChart label="Weekly workload" corner="Assignee" columns={columns} rows={rows} />
            ) : (
              <EmptyState
                icon={<CalendarClock />}
                title="No open tasks"
                hint="Tasks appear here with their assignees."
              />
            )}
          </ChartFrame>
        );
      }}
    </ChartContent>
  );
}
