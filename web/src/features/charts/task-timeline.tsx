import type { Project } from '@atrium/proto-events/http/projects';
import type { Task } from '@atrium/proto-events/http/tasks';
import { useState } from 'react';
import { useTaskActions } from '#entities/task/use-task-actions.ts';
import { useTaskPages } from '#entities/task/use-tasks.ts';
import { loadMoreProps } from '#lib/query/paging.ts';
import { ChartContent } from '#ui/charts/chart-content.tsx';
import { hiddenItemsText } from '#ui/charts/timeline/hidden-items.ts';
import { moveWithUndo } from '#ui/charts/timeline/move-with-undo.ts';
import { Timeline } from '#ui/charts/timeline/timeline.tsx';
import type { TimelineItem } from '#ui/charts/timeline/timeline-bar.tsx';
import { shiftDates, spanOf } from '#ui/charts/timeline/timeline-days.ts';
import { ShowMore } from '#ui/pages/show-more.tsx';
import { tasksLabel } from './task-charts.tsx';
import { OPEN_STATUSES } from './task-lists.ts';

type Props = { project: Project; onOpen: (id: string) => void };

/** The open tasks of a project that have a start or a due date. */
export function TaskTimeline({ project, onOpen }: Props) {
  const [pages, setPages] = useState(1);
  const tasks = useTaskPages({ project: project._id, status: OPEN_STATUSES }, pages);
  const more = loadMoreProps(tasks, pages, setPages);
  const move = useMove();
  return (
    <ChartContent query={tasks} failure="Failed to load tasks" height={240}>
      {({ data, total }) => {
        const items = data.flatMap((task) => toItem(task, { onOpen, move }));
        return (
          <div>
            <Timeline
              label="Dated tasks"
              description={describe(items.length, {
                undated: data.length - items.length,
                unloaded: total - data.length,
              })}
              hint={items.some(({ onMove }) => onMove) ? MOVE_HINT : undefined}
              items={items}
              header={['Task', 'Dates']}
              fileName="timeline"
            />
            {more.hasMore && <ShowMore more={more}>Show more tasks in the timeline</ShowMore>}
          </div>
        );
      }}
    </ChartContent>
  );
}

const MOVE_HINT = 'Drag a bar to move a task, or use the arrow keys and Enter.';

type Actions = { onOpen: (id: string) => void; move: (task: Task, days: number) => Promise<void> };

function toItem(task: Task, { onOpen, move }: Actions): TimelineItem[] {
  const span = spanOf(task.startDate, task.dueDate);
  const onMove = task.abilities.update ? (days: number) => move(task, days) : undefined;
  return span ? [{ id: task._id, name: task.title, span, onOpen: () => onOpen(task._id), onMove }] : [];
}

function useMove(): Actions['move'] {
  const { update } = useTaskActions();
  return (item, days) =>
    moveWithUndo({
      item,
      days,
      save: ({ _id, startDate, dueDate, version }, by) =>
        update(_id, { ...shiftDates({ startDate, dueDate }, by), version }),
      success: 'Task moved',
      failure: 'Failed to update task',
    });
}

function describe(dated: number, hidden: { undated: number; unloaded: number }): string {
  const rest = hiddenItemsText({ ...hidden, label: tasksLabel });
  if (dated === 0) return `No open task has a date.${rest}`;
  return `${tasksLabel(dated)} open with dates.${rest}`;
}
