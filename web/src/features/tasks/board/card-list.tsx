import type { Task, TaskStatus } from '@atrium/proto-events/http/tasks';
import { type RefObject, useState } from 'react';
import { GridList } from 'react-aria-components/GridList';
import { useDragAndDrop } from 'react-aria-components/useDragAndDrop';
import { ListLayout, Virtualizer } from 'react-aria-components/Virtualizer';
import { styled } from 'styled-components';
import { TASKS_PER_PAGE } from '#entities/task/use-tasks.ts';
import { useIsPrinting } from '#lib/hooks/use-media.ts';
import { captionStyles, focusRing } from '#ui/mixins.ts';
import { showError } from '#ui/overlays/toast.ts';
import { theme } from '#ui/theme.ts';
import { TaskCard } from './task-card.tsx';

export type Drag = { dragged: RefObject<Task | null>; onDrag: (task: Task | null) => void };

const KIND = 'atrium-task';

type Props = {
  tasks: readonly Task[];
  status: TaskStatus;
  label: string;
  empty: string;
  drag: Drag;
  /** Identifies the list, which changes with the filters. */
  list: string;
  onMove: (task: Task, to: TaskStatus) => void;
  onOpen: (id: string) => void;
};

/** Below this number of cards, rendering all of them is cheaper than virtualizing. */
const VIRTUALIZATION_THRESHOLD = 30;

const LAYOUT = { estimatedRowSize: 92, gap: 8 };

/** The whole column is the drop target, because the server determines the order. */
const COLUMN_DROP_TARGET = { getDropTargetFromPoint: () => ({ type: 'root' }) as const };

export function CardList({ tasks, status, label, empty, drag, list, onMove, onOpen }: Props) {
  const { dragged, onDrag } = drag;
  const findTask = (keys: Iterable<unknown>) => {
    const [key] = keys;
    return tasks.find(({ _id }) => _id === key);
  };
  const { dragAndDropHooks } = useDragAndDrop({
    getItems: (keys) => {
      const task = findTask(keys);
      // Every drop target rejects a drag without items.
      return task?.abilities.updateStatus ? [{ [KIND]: task._id, 'text/plain': task.title }] : [];
    },
    onDragStart: ({ keys }) => {
      const task = findTask(keys) ?? null;
      if (task && !task.abilities.updateStatus)
        showError('This task cannot be moved', task.denialReasons?.updateStatus);
      onDrag(task);
    },
    onDragEnd: () => onDrag(null),
    acceptedDragTypes: [KIND],
    dropTargetDelegate: COLUMN_DROP_TARGET,
    getDropOperation: ({ type }) =>
      type === 'root' && dragged.current !== null && dragged.current.status !== status ? 'move' : 'cancel',
    onRootDrop: () => {
      const task = dragged.current;
      // Ends the drag before the move, because during a drag the column keeps its order and appends new cards.
      onDrag(null);
      if (task) onMove(task, status);
    },
  });
  const cards = (
    <List
      aria-label={label}
      selectionMode="none"
      dragAndDropHooks={dragAndDropHooks}
      onAction={(key) => onOpen(String(key))}
      renderEmptyState={() => <Empty>{empty}</Empty>}
    >
      {tasks.map((task) => (
        <TaskCard key={task._id} task={task} onMove={onMove} onOpen={onOpen} />
      ))}
    </List>
  );
  const isLong = useIsLong(tasks.length, list);
  if (useIsPrinting() || !isLong) return cards;
  return (
    <Virtualizer layout={ListLayout} layoutOptions={LAYOUT} shouldObserveItemSize>
      {cards}
    </Virtualizer>
  );
}

/**
 * Decides only when a different list is shown, because switching replaces the list, which would lose focus, a drag, or
 * an open menu.
 */
function useIsLong(count: number, list: string): boolean {
  const [decision, setDecision] = useState({ list, isLong: count > VIRTUALIZATION_THRESHOLD });
  const isNewList = decision.list !== list || (count > TASKS_PER_PAGE && !decision.isLong);
  const current = isNewList ? { list, isLong: count > VIRTUALIZATION_THRESHOLD } : decision;
  if (isNewList) setDecision(current);
  return current.isLong;
}

const List = styled(GridList)`
  flex: 1;
  min-height: 120px;
  margin: ${theme.space[1]} 0 ${theme.space[2]};
  border-radius: ${theme.radius.md};
  outline: none;
  /* The same gap as in the virtualized layout; drop indicators are siblings of the cards. */
  > [data-key] ~ [data-key] {
    margin-top: ${LAYOUT.gap}px;
  }
  &[data-drop-target] {
    background: ${theme.color.accentSoft};
    box-shadow: 0 0 0 2px ${theme.color.accent};
  }
  ${focusRing}
`;

const Empty = styled.p`
  padding: ${theme.space[5]} ${theme.space[3]};
  text-align: center;
  ${captionStyles}
`;
