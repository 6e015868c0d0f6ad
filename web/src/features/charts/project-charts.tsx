import type { Project } from '@atrium/proto-events/http/projects';
import { type ReactNode, Suspense, useMemo } from 'react';
import { styled } from 'styled-components';
import { useProjectHistory, useTaskStats } from '#entities/project/use-project-history.ts';
import { useNow, useToday } from '#lib/hooks/use-now.ts';
import { useOverlayHistory } from '#lib/hooks/use-overlay-history.ts';
import { weekStartIndex } from '#lib/time/date-preferences.ts';
import { type Day, dateOfDay } from '#lib/time/day.ts';
import { plusDays, startOfWeek } from '#lib/time/weeks.ts';
import { Box } from '#ui/layout/primitives.ts';
import { AsyncContent } from '#ui/pages/async-content.tsx';
import { Skeleton, SkeletonBlock } from '#ui/pages/skeleton.tsx';
import { theme } from '#ui/theme.ts';
import { BurnUp, ProgressOverTime } from './history-charts.tsx';
import { usePeriod } from './period-control.tsx';
import { CompletedTasks, TasksByState } from './task-charts.tsx';
import { TaskListDialog } from './task-list-dialog.tsx';
import { TaskTimeline } from './task-timeline.tsx';
import { Workload } from './workload.tsx';

type Props = { project: Project; renderTask: (id: string, onClose: () => void) => ReactNode };

export function ProjectCharts({ project, renderTask }: Props) {
  const { days, control } = usePeriod('90');
  const { opened, open, close } = useOverlayHistory('task', 'tasks');
  const from = usePeriodStart(project.createdAt, days, useToday());
  return (
    <section aria-label="Charts">
      <Head>
        <h2>Charts</h2>
        {control}
      </Head>
      <Charts project={project} from={from} onOpen={(list) => open('tasks', list)} />
      <Box $above={4}>
        <TaskTimeline project={project} onOpen={(id) => open('task', id)} />
      </Box>
      <Box $above={4}>
        <Workload
          query={{ projectId: project._id }}
          description="Open tasks of everyone in the project by due date."
          onOpen={(list) => open('tasks', list)}
        />
      </Box>
      {opened?.name === 'tasks' && (
        <TaskListDialog
          project={project._id}
          list={opened.id}
          onOpen={({ _id }) => open('task', _id)}
          onClose={close}
        />
      )}
      <Suspense fallback={null}>{opened?.name === 'task' && renderTask(opened.id, close)}</Suspense>
    </section>
  );
}

/** The period begins with a whole week, and not before that of the project's creation. */
function usePeriodStart(createdAt: string, days: number, today: Day): Date {
  return useMemo(() => {
    const start = plusDays(dateOfDay(today) ?? new Date(), -days);
    const created = new Date(createdAt);
    return startOfWeek(start > created ? start : created, weekStartIndex());
  }, [createdAt, days, today]);
}

type ChartsProps = { project: Project; from: Date; onOpen: (list: string) => void };

function Charts({ project, from, onOpen }: ChartsProps) {
  const now = useNow();
  const history = useProjectHistory(project._id, from);
  const stats = useTaskStats(project._id);
  const { data: counts } = stats;
  const data = history.data && counts && { history: history.data, counts };
  const query = {
    data,
    error: history.error ?? stats.error,
    isValidating: history.isValidating || stats.isValidating,
    mutate: () => Promise.all([history.mutate(), stats.mutate()]),
  };
  return (
    <AsyncContent query={query} failure="Failed to load the charts" skeletons={SKELETON} isFramed>
      {(loaded) => {
        const current = { now, progress: project.progress, tasks: loaded.counts };
        return (
          <Grid>
            <TasksByState counts={loaded.counts} onOpen={onOpen} />
            <CompletedTasks history={loaded.history} from={from} now={now} onOpen={onOpen} />
            <BurnUp history={loaded.history} current={current} />
            <ProgressOverTime history={loaded.history} current={current} />
          </Grid>
        );
      }}
    </AsyncContent>
  );
}

const Head = styled.header`
  display: flex;
  flex-wrap: wrap;
  align-items: center;
  justify-content: space-between;
  gap: ${theme.space[2]};
  margin-bottom: ${theme.space[3]};
`;

const Grid = styled.div`
  display: grid;
  grid-template-columns: repeat(2, minmax(0, 1fr));
  gap: ${theme.space[4]};
  @media print, (max-width: 959px) {
    grid-template-columns: minmax(0, 1fr);
  }
`;

const SKELETON = (
  <Skeleton label="Loading the charts">
    <Grid>
      {['one', 'two', 'three', 'four'].map((chart) => (
        <SkeletonBlock key={chart} height={320} />
      ))}
    </Grid>
  </Skeleton>
);
