import type { Project } from '@atrium/proto-events/http/projects';
import { useEffect, useRef } from 'react';
import { isOverdue } from '#entities/project/project-labels.ts';
import { useProjectStats, useProjects } from '#entities/project/use-projects.ts';
import { useToday } from '#lib/hooks/use-now.ts';
import { useRefetch } from '#lib/query/use-refetch.ts';
import type { Day } from '#lib/time/day.ts';

type Count = number | '–' | undefined;
type Counts = Record<'active' | 'completed' | 'overdue', Count>;

/** Returns the server's counts. If they fail to load, counts the first 100 projects, unless there are more. */
export function useDashboardCounts() {
  const today = useToday();
  const stats = useProjectStats();
  const projects = useProjects(stats.data === undefined && stats.error !== undefined ? { limit: 100 } : null);
  const fallback = (): Counts => {
    if (!stats.error) return { active: undefined, completed: undefined, overdue: undefined };
    const page = projects.data;
    if (!page && !projects.error) return { active: undefined, completed: undefined, overdue: undefined };
    return page && page.total <= page.data.length
      ? countProjects(page.data, today)
      : { active: '–', completed: '–', overdue: '–' };
  };
  const counts: Counts = stats.data ?? fallback();
  useRefetchOnNewDay(today);
  return { counts, hasFailed: !stats.data && stats.error !== undefined, retry: () => void stats.mutate() };
}

/** No event reports midnight in the time zone of the user, when more projects are overdue. */
function useRefetchOnNewDay(today: Day): void {
  const countedDay = useRef(today);
  const refetch = useRefetch();
  useEffect(() => {
    if (countedDay.current === today) return;
    countedDay.current = today;
    refetch('/projects/stats');
  }, [today, refetch]);
}

export function countProjects(projects: readonly Project[], today: Day) {
  const countWithStatus = (...statuses: Project['status'][]) =>
    projects.filter(({ status }) => statuses.includes(status)).length;
  return {
    active: countWithStatus('in-progress', 'not-started'),
    completed: countWithStatus('completed'),
    overdue: projects.filter((project) => isOverdue(project, today)).length,
  };
}
