import type { Project } from '@atrium/proto-events/http/projects';
import type { TaskStatus } from '@atrium/proto-events/http/tasks';
import { Suspense, useDeferredValue, useMemo } from 'react';
import { useDebounced } from '#lib/hooks/use-debounced.ts';
import { useOverlayHistory } from '#lib/hooks/use-overlay-history.ts';
import { useStableCallback } from '#lib/hooks/use-stable-callback.ts';
import { useUrlState } from '#lib/hooks/use-url-state.ts';
import { lazyNamed } from '#lib/lazy.ts';
import { useCurrentUser } from '#lib/session/session.ts';
import { VisuallyHidden } from '#ui/visually-hidden.tsx';
import { assigneeFilterOptions } from '../assignees.tsx';
import { BoardColumns } from './board-columns.tsx';
import { BoardFilterBar, type BoardFilterState, DEFAULT_FILTERS, validFilters } from './board-filter-bar.tsx';

const TaskDialog = lazyNamed(() => import('../task-dialog.tsx'), 'TaskDialog');

type Props = {
  project: Project;
  onCreate?: ((status: TaskStatus) => void) | undefined;
};

export function TaskBoard({ project, onCreate }: Props) {
  const [urlFilters, setFilters] = useUrlState(DEFAULT_FILTERS);
  const { opened, open, close } = useOverlayHistory('task');
  const assignees = assigneeFilterOptions(project, useCurrentUser());
  const filters = validFilters(urlFilters, assignees);
  const show = useStableCallback((column: string) => setFilters({ column }, 'push'));
  const openTask = useStableCallback((id: string) => open('task', id));
  const create = useStableCallback((status: TaskStatus) => onCreate?.(status));
  return (
    <section aria-label="Tasks">
      <VisuallyHidden as="h2">Tasks</VisuallyHidden>
      <BoardFilterBar assignees={assignees} filters={filters} onChange={setFilters} />
      <BoardColumns
        project={project}
        filters={useSettledFilters(filters)}
        shown={urlFilters.column}
        onShow={show}
        onOpen={openTask}
        onCreate={onCreate && create}
      />
      <Suspense fallback={null}>
        {opened && <TaskDialog key={opened.id} id={opened.id} project={project} onClose={close} />}
      </Suspense>
    </section>
  );
}

/** Returns the filters after a typing pause. Rendering hundreds of cards is deferred in favor of the next keystroke. */
function useSettledFilters({ search: typed, priority, assignee }: BoardFilterState) {
  const search = useDebounced(typed);
  return useDeferredValue(useMemo(() => ({ search, priority, assignee }), [search, priority, assignee]));
}
