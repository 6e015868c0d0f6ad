import type { Project } from '@atrium/proto-events/http/projects';
import { useNavigate } from 'react-router-dom';
import { displayStatus, dueDay } from '#entities/project/project-labels.ts';
import { formatNumber } from '#lib/number-formats.ts';
import { hiddenItemsText } from '#ui/charts/timeline/hidden-items.ts';
import { moveWithUndo } from '#ui/charts/timeline/move-with-undo.ts';
import { Timeline } from '#ui/charts/timeline/timeline.tsx';
import type { TimelineItem } from '#ui/charts/timeline/timeline-bar.tsx';
import { shiftDates, spanOf } from '#ui/charts/timeline/timeline-days.ts';
import { useProjectActions } from '../use-project-actions.ts';

type Props = {
  projects: readonly Project[];
  /** Projects of pages that have not been requested. */
  unloaded: number;
};

/** The projects that have a start or a due date. */
export function ProjectTimeline({ projects, unloaded }: Props) {
  const navigate = useNavigate();
  const move = useMove();
  const items = projects.flatMap((project): TimelineItem[] => {
    const span = spanOf(project.startDate, dueDay(project) || null);
    if (!span) return [];
    return [
      {
        id: project._id,
        name: project.name,
        detail: `${displayStatus(project.status).label}, ${project.progress}%`,
        span,
        onOpen: () => void navigate(`/progress/${project._id}`),
        onMove: project.abilities.update ? (days) => move(project, days) : undefined,
      },
    ];
  });
  return (
    <Timeline
      label="Dated projects"
      description={describe(items, { undated: projects.length - items.length, unloaded })}
      hint={items.some(({ onMove }) => onMove) ? MOVE_HINT : undefined}
      items={items}
      header={['Project', 'Dates', 'Status and progress']}
      fileName="project-timeline"
    />
  );
}

const MOVE_HINT = 'Drag a bar to move a project, or use the arrow keys and Enter.';

function useMove() {
  const { update } = useProjectActions();
  return (item: Project, days: number) =>
    moveWithUndo({
      item,
      days,
      save: ({ _id, startDate, deadline, version }, by) =>
        update(_id, { ...shiftDates({ startDate, deadline }, by), version }),
      success: 'Project moved',
      failure: 'Failed to update project',
    });
}

const projectsLabel = (count: number) => `${formatNumber(count)} ${count === 1 ? 'project' : 'projects'}`;

function describe(items: readonly TimelineItem[], hidden: { undated: number; unloaded: number }): string {
  const rest = hiddenItemsText({ ...hidden, label: projectsLabel });
  if (items.length === 0) return `No project has a date.${rest}`;
  return `${projectsLabel(items.length)} with dates. Dates of tasks do not change with their project.${rest}`;
}
