import type { Project } from '@atrium/proto-events/http/projects';
import { isOverdue } from '#entities/project/project-labels.ts';
import { useProjectStats, useProjects } from '#entities/project/use-projects.ts';
import type { Day } from '#lib/day.ts';
import { useToday } from '#lib/hooks/use-now.ts';

type Count = number | '–' | undefined;
type Counts = Record<'active' | 'completed' | 'overdue', Count>;

/** The server's counts; if they fail to load, counts of the first 100 projects, if there are no more. */
export function useDashboardCounts() {
  const today = useToday();
  const stats = useProjectStats();
  const projects = useProjects(stats.data === undefined && stats.error !== undefined ? { limit: 100 } : null);
  const fallback = (): Counts => {
    if (!stats.error) return { active: undefined, completed: undefined, overdue: undefined };
    const all = projects.data;
    if (!all && !projects.error) return { active: undefined, completed: undefined, overdue: undefined };
    return all && all.total <= all.data.length
      ? countOf(all.data, today)
      : { active: '–', completed: '–', overdue: '–' };
  };
  const counts: Counts = stats.data ?? fallback();
  return { counts, hasFailed: !stats.data && stats.error !== undefined, retry: () => void stats.mutate() };
}

export function countOf(projects: readonly Project[], today: Day) {
  const having = (...statuses: Project['status'][]) =>
    projects.filter(({ status }) => statuses.includes(status)).length;
  return {
    active: having('in-progress', 'not-started'),
    completed: having('completed'),
    overdue: projects.filter((project) => isOverdue(project, today)).length,
  };
}
