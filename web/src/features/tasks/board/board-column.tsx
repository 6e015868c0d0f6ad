import type { Project } from '@atrium/proto-events/http/projects';
import type { Task, TaskStatus } from '@atrium/proto-events/http/tasks';
import { Plus } from 'lucide-react';
import { type FocusEvent, memo, useEffect, useState } from 'react';
import { styled } from 'styled-components';
import { StatusIcon } from '#entities/task/task-icons.tsx';
import { TASKS_PER_PAGE, useColumn } from '#entities/task/use-tasks.ts';
import { usePointerOver, useStableOrder } from '#lib/hooks/use-stable-order.ts';
import { formatCount } from '#lib/number-formats.ts';
import { loadMoreProps } from '#lib/query/paging.ts';
import { IconButton } from '#ui/icon-button.tsx';
import { Text } from '#ui/layout/primitives.ts';
import { AsyncContent } from '#ui/pages/async-content.tsx';
import { ShowMore } from '#ui/pages/show-more.tsx';
import { SkeletonCards } from '#ui/pages/skeleton-cards.tsx';
import { theme } from '#ui/theme.ts';
import { type BoardFilters, boardQuery, isBoardFiltered } from './board-filter-bar.tsx';
import { CardList, type Drag } from './card-list.tsx';
import { applyPendingMoves, countNetMoves, type Moves } from './use-task-moves.ts';

const MAX_SCROLL_FRAMES = 10;

/**
 * Keeps a card in view after keyboard navigation. Distant cards have estimated heights until rendered, so layout may
 * push it out of view in the following frames.
 */
function keepInView({ target }: FocusEvent): void {
  let framesLeft = MAX_SCROLL_FRAMES;
  const scroll = () => {
    // A pointer only presses visible cards.
    if (document.activeElement !== target || !target.matches('[role="row"][data-focus-visible]')) return;
    target.scrollIntoView({ block: 'nearest' });
    framesLeft -= 1;
    if (framesLeft > 0) requestAnimationFrame(scroll);
  };
  requestAnimationFrame(scroll);
}

type Props = {
  project: Project;
  status: TaskStatus;
  label: string;
  filters: BoardFilters;
  moves: Moves;
  /** False for columns hidden on a small screen, which only show their count. */
  isShown: boolean;
  isDragging: boolean;
  drag: Drag;
  onCount: (status: TaskStatus, count: string) => void;
  onMove: (task: Task, to: TaskStatus) => void;
  onOpen: (id: string) => void;
  onCreate?: ((status: TaskStatus) => void) | undefined;
};

export const BoardColumn = memo(function BoardColumn(props: Props) {
  const { project, status, label, filters, moves, isShown, isDragging, onCount, onCreate } = props;
  const [pages, setPages] = useState(1);
  const column = useColumn({ project: project._id, status, filters: boardQuery(filters) }, pages);
  const { data, isLoading } = column;
  const paging = loadMoreProps(column, pages, setPages);
  const { isOver, handlers } = usePointerOver();
  const loadedTasks = data?.data ?? [];
  const wantedList = JSON.stringify(filters);
  const tasks = useStableOrder(
    applyPendingMoves(loadedTasks, status, moves),
    (isOver || isDragging) && !isLoading,
    wantedList,
  );
  // The previous list stays visible while another loads.
  const [list, setList] = useState(wantedList);
  if (!isLoading && list !== wantedList) setList(wantedList);
  const count = data && formatCount({ ...data, total: data.total + countNetMoves(loadedTasks, status, moves) });
  const remainingCount = data ? data.total - loadedTasks.length : 0;
  useEffect(() => {
    onCount(status, count ?? '');
  }, [status, count, onCount]);
  if (!isShown) return null;
  // Cards moved here are shown even if the list failed to load.
  const columnQuery = { ...column, data: data ?? (tasks.length > 0 || undefined) };
  return (
    <Column aria-label={label} onFocus={keepInView} {...handlers}>
      <Head>
        <StatusIcon status={status} />
        <h3>{label}</h3>
        <Text $size="sm" $tone="text2" $tabular $flex="fill">
          {count}
        </Text>
        {onCreate && (
          <IconButton label={`New task in ${label}`} onPress={() => onCreate(status)}>
            <Plus />
          </IconButton>
        )}
      </Head>
      <AsyncContent query={columnQuery} failure="Failed to load tasks" skeletons={SKELETON}>
        {() => (
          <CardList {...props} tasks={tasks} list={list} empty={isBoardFiltered(filters) ? 'No matches' : 'No tasks'} />
        )}
      </AsyncContent>
      {paging.hasMore && (
        <ShowMore more={paging} size="md" isFullWidth>
          Show {Math.min(remainingCount, TASKS_PER_PAGE)} more
        </ShowMore>
      )}
    </Column>
  );
});

const Stack = styled.div`
  display: grid;
  gap: ${theme.space[2]};
  padding-top: ${theme.space[1]};
`;

const SKELETON = <SkeletonCards label="Loading tasks" count={3} as={Stack} below={[76, 44, 26]} isSmall />;

/* All columns are equally tall, so that a card can be dropped anywhere below the others. */
const Column = styled.section`
  display: flex;
  flex-direction: column;
  min-width: 0;
  padding: ${theme.space[2]};
  border-radius: ${theme.radius.lg};
  background: ${theme.color.sunken};
  /* In dark mode a card must be lighter than its background, not darker. */
  background: light-dark(
    ${theme.color.sunken},
    color-mix(in srgb, ${theme.color.sunken} 30%, ${theme.color.ground})
  );
`;

const Head = styled.header`
  display: flex;
  flex: none;
  align-items: center;
  gap: ${theme.space[2]};
  min-height: 36px;
  padding: 0 2px 0 ${theme.space[2]};
  h3 {
    font: 600 ${theme.text.md};
  }
`;
