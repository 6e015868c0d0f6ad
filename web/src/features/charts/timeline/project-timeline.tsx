import type { Project } from '@atrium/proto-events/http/projects';
import type { Task } from '@atrium/proto-events/http/tasks';
import { useState } from 'react';
import { styled } from 'styled-components';
import { useProjectTasks } from '#entities/task/use-tasks.ts';
import { useToday } from '#lib/hooks/use-now.ts';
import { loadMoreProps } from '#lib/query/paging.ts';
import { ChartFrame } from '#ui/charts/chart-frame.tsx';
import { AsyncContent } from '#ui/pages/async-content.tsx';
import { ShowMore } from '#ui/pages/show-more.tsx';
import { SkeletonBlock } from '#ui/pages/skeleton.tsx';
import { SegmentedControl } from '#ui/segmented-control.tsx';
import { theme } from '#ui/theme.ts';
import { tasksLabel } from '../task-charts.tsx';
import { rangeOf, spanLabel, spanOf, type TimelineRow, type Unit } from './timeline-days.ts';
import { TimelineGrid } from './timeline-grid.tsx';

const OPEN = { status: 'todo,in-progress,review' };

const ZOOMS = [
  { key: 'days', label: 'Days', dayWidth: 28, unit: 'week' },
  { key: 'weeks', label: 'Weeks', dayWidth: 10, unit: 'week' },
  { key: 'months', label: 'Months', dayWidth: 3, unit: 'month' },
] as const satisfies readonly { key: string; label: string; dayWidth: number; unit: Unit }[];

type Props = { project: Project; onOpen: (id: string) => void };

/** The open tasks of a project that have a start or a due date. */
export function ProjectTimeline({ project, onOpen }: Props) {
  const [pages, setPages] = useState(1);
  const tasks = useProjectTasks(project._id, OPEN, pages);
  const more = loadMoreProps(tasks, pages, setPages);
  return (
    <AsyncContent query={tasks} failure="Failed to load tasks" skeletons={<SkeletonBlock height={240} />} isFramed>
      {({ data }) => (
        <div>
          <Timeline tasks={data} onOpen={onOpen} />
          {more.hasMore && <ShowMore more={more}>Show more tasks in the timeline</ShowMore>}
        </div>
      )}
    </AsyncContent>
  );
}

function Timeline({ tasks, onOpen }: { tasks: readonly Task[]; onOpen: (id: string) => void }) {
  const [zoomKey, setZoomKey] = useState<(typeof ZOOMS)[number]['key']>('weeks');
  const zoom = ZOOMS.find(({ key }) => key === zoomKey) ?? ZOOMS[1];
  const rows = toRows(tasks);
  const range = rangeOf(
    rows.map(({ span }) => span),
    useToday(),
  );
  const undated = tasks.length - rows.length;
  const table = {
    header: ['Task', 'Dates'],
    rows: rows.map(({ task, span }) => [task.title, spanLabel(span)]),
  };
  return (
    <ChartFrame title="Timeline" description={describe(rows.length, undated)} table={table} fileName="timeline">
      {rows.length > 0 && (
        <>
          <Zoom>
            <SegmentedControl label="Zoom" items={ZOOMS} selected={zoomKey} onSelect={setZoomKey} />
          </Zoom>
          <TimelineGrid rows={rows} range={range} dayWidth={zoom.dayWidth} unit={zoom.unit} onOpen={onOpen} />
        </>
      )}
    </ChartFrame>
  );
}

function toRows(tasks: readonly Task[]): TimelineRow[] {
  return tasks
    .flatMap((task) => {
      const span = spanOf(task);
      return span ? [{ task, span }] : [];
    })
    .sort((a, b) => a.span.first.localeCompare(b.span.first) || a.span.last.localeCompare(b.span.last));
}

function describe(dated: number, undated: number): string {
  const hint = dated > 0 ? ' Drag a bar to move a task, or use the arrow keys and Enter.' : '';
  const rest = undated > 0 ? ` Not shown: ${tasksLabel(undated)} without a date.` : '';
  return `${tasksLabel(dated)} open with dates.${hint}${rest}`;
}

const Zoom = styled.div`
  margin-bottom: ${theme.space[3]};
`;
