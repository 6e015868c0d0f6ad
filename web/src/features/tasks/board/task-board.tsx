import type { Project } from '@atrium/proto-events/http/projects';
import type { Task, TaskStatus } from '@atrium/proto-events/http/tasks';
import { Suspense, useRef, useState } from 'react';
import { styled } from 'styled-components';
import { lazy } from '../../../lib/lazy.ts';
import { useCurrentUser } from '../../../lib/session/use-session.ts';
import { useDebounced } from '../../../lib/use-debounced.ts';
import { useOpened } from '../../../lib/use-opened.ts';
import { useUrlState } from '../../../lib/use-url-state.ts';
import { theme } from '../../../ui/theme.ts';
import { VisuallyHidden } from '../../../ui/visually-hidden.tsx';
import { holderOptions } from '../assignees.tsx';
import { COLUMNS } from '../task-words.ts';
import { BoardColumn } from './board-column.tsx';
import { BoardFilterBar } from './board-filter-bar.tsx';
import { chosenFilters, WHOLE_BOARD } from './board-filters.ts';
import { ColumnChoice } from './column-choice.tsx';
import { useTaskMoves } from './use-task-moves.ts';

const TaskDialog = lazy(() => import('../task-dialog.tsx').then((module) => ({ default: module.TaskDialog })));

type Props = {
  project: Project;
  /** Opens the form for a new task in that column; absent for those who may not. */
  onCreate?: ((status: TaskStatus) => void) | undefined;
};

/** The tasks of a project in columns by status. A card is moved by pointer, by keyboard or from its menu, and opens to a press. */
export function TaskBoard({ project, onCreate }: Props) {
  const [place, setPlace] = useUrlState(WHOLE_BOARD);
  const { opened, open, close } = useOpened('task');
  const { moves, said, move } = useTaskMoves();
  const [counts, setCounts] = useState<Partial<Record<TaskStatus, string>>>({});
  const [isDragging, setDragging] = useState(false);
  // What is being dragged is known before the drop, so that its own column is no place to drop it.
  const dragged = useRef<Task | null>(null);
  const drag = (task: Task | null) => {
    dragged.current = task;
    setDragging(task !== null);
  };
  const holders = holderOptions(project, useCurrentUser());
  const chosen = chosenFilters(place, holders);
  const filters = { ...chosen, search: useDebounced(place.search) };
  return (
    <section aria-label="Tasks">
      <VisuallyHidden as="h2">Tasks</VisuallyHidden>
      <BoardFilterBar holders={holders} place={chosen} onChange={setPlace} />
      <ColumnChoice counts={counts} shown={place.column} onShow={(column) => setPlace({ column }, 'push')} />
      <Columns>
        {COLUMNS.map(({ status, label }) => (
          <BoardColumn
            key={status}
            project={project}
            status={status}
            label={label}
            filters={filters}
            moves={moves}
            isShown={status === place.column}
            isHeld={isDragging}
            drag={{ dragged, onDrag: drag }}
            onCount={(count) =>
              setCounts((before) => (before[status] === count ? before : { ...before, [status]: count }))
            }
            onMove={(task, to) => void move(task, to)}
            onOpen={(id) => open('task', id)}
            onCreate={onCreate && (() => onCreate(status))}
          />
        ))}
      </Columns>
      <VisuallyHidden role="status">{said}</VisuallyHidden>
      <Suspense fallback={null}>
        {opened && <TaskDialog key={opened.id} id={opened.id} project={project} onClose={close} />}
      </Suspense>
    </section>
  );
}

const Columns = styled.div`
  display: grid;
  grid-template-columns: repeat(4, minmax(0, 1fr));
  gap: ${theme.space[3]};
  @media (max-width: 1199px) {
    grid-template-columns: repeat(2, minmax(0, 1fr));
  }
  ${theme.media.small} {
    grid-template-columns: minmax(0, 1fr);
  }
`;
