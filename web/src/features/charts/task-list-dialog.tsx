import type { Task } from '@atrium/proto-events/http/tasks';
import { SquareCheckBig } from 'lucide-react';
import { useState } from 'react';
import { Button } from 'react-aria-components/Button';
import { styled } from 'styled-components';
import { StatusIcon } from '#entities/task/task-icons.tsx';
import { columnLabel, shortDay } from '#entities/task/task-labels.ts';
import { useTaskPages } from '#entities/task/use-tasks.ts';
import { displayName } from '#entities/user/user-labels.ts';
import { useToday } from '#lib/hooks/use-now.ts';
import { formatNumber } from '#lib/number-formats.ts';
import { loadMoreProps } from '#lib/query/paging.ts';
import { storedDay } from '#lib/time/day.ts';
import { DividedList, TwoLineText } from '#ui/layout/primitives.ts';
import { bareButton, insetFocusRing } from '#ui/mixins.ts';
import { Dialog } from '#ui/overlays/dialog.tsx';
import { DialogBody } from '#ui/overlays/dialog-parts.ts';
import { AsyncContent } from '#ui/pages/async-content.tsx';
import { EmptyState } from '#ui/pages/empty-state.tsx';
import { ShowMore } from '#ui/pages/show-more.tsx';
import { SkeletonRows } from '#ui/pages/skeleton.tsx';
import { theme } from '#ui/theme.ts';
import { toTaskList } from './task-lists.ts';

type Props = {
  /** The project of the tasks; undefined for those of all projects. */
  project?: string;
  list: string;
  onOpen: (task: Task) => void;
  onClose: () => void;
};

/** The tasks that a figure of a chart counts. */
export function TaskListDialog({ project, list, onOpen, onClose }: Props) {
  const [pages, setPages] = useState(1);
  const { title, query } = toTaskList(list);
  const tasks = useTaskPages({ ...query, ...(project !== undefined && { project }) }, pages);
  const more = loadMoreProps(tasks, pages, setPages);
  return (
    <Dialog title={title} description={countLabel(tasks.data?.total)} onClose={onClose}>
      <DialogBody>
        <AsyncContent
          query={tasks}
          failure="Failed to load tasks"
          skeletons={<SkeletonRows count={3} hasDisc={false} />}
        >
          {({ data }) =>
            data.length === 0 ? (
              <EmptyState icon={<SquareCheckBig />} title="No tasks" hint="Nothing has been counted here." />
            ) : (
              <DividedList aria-label={title}>
                {data.map((task) => (
                  <li key={task._id}>
                    <TaskRow task={task} onOpen={() => onOpen(task)} />
                  </li>
                ))}
              </DividedList>
            )
          }
        </AsyncContent>
        {more.hasMore && <ShowMore more={more} />}
      </DialogBody>
    </Dialog>
  );
}

function countLabel(total: number | undefined): string {
  if (total === undefined) return '\u00a0';
  return `${formatNumber(total)} ${total === 1 ? 'task' : 'tasks'}`;
}

function TaskRow({ task, onOpen }: { task: Task; onOpen: () => void }) {
  const today = useToday();
  const due = storedDay(task.dueDate);
  const assignee = task.assignedTo ? displayName(task.assignedTo) : 'Unassigned';
  return (
    <Row onPress={onOpen}>
      <StatusIcon status={task.status} />
      <TwoLineText $flex="fill">
        <strong dir="auto">{task.title}</strong>
        <small>
          {columnLabel(task.status)} · <bdi>{assignee}</bdi>
          {due && ` · due ${shortDay(due, today)}`}
        </small>
      </TwoLineText>
    </Row>
  );
}

const Row = styled(Button)`
  display: flex;
  align-items: center;
  gap: ${theme.space[3]};
  width: 100%;
  min-height: 56px;
  padding: ${theme.space[2]};
  ${bareButton}
  border-radius: ${theme.radius.md};
  color: ${theme.color.text};
  text-align: start;
  &[data-hovered] {
    background: ${theme.color.hover};
  }
  ${insetFocusRing}
`;
