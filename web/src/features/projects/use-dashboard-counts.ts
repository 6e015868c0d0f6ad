import type { Project } from '@atrium/proto-events/http/projects';
import { isOverdue } from '#entities/project/project-labels.ts';
import { useProjectStats, useProjects } from '#entities/project/use-projects.ts';
import { useToday } from '#lib/hooks/use-now.ts';
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
  return { counts, hasFailed: !stats.data && stats.error !== undefined, retry: () => void stats.mutate() };
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
