import type { Task, TaskStatus } from '@atrium/proto-events/http/tasks';
import { type RefObject, useState } from 'react';
import { GridList } from 'react-aria-components/GridList';
import { useDragAndDrop } from 'react-aria-components/useDragAndDrop';
import { ListLayout, Virtualizer } from 'react-aria-components/Virtualizer';
import { styled } from 'styled-components';
import { useIsPrinting } from '../../../lib/hooks/use-is-printing.ts';
import { showError } from '../../../ui/overlays/toast.ts';
import { theme } from '../../../ui/theme.ts';
import { TaskCard } from './task-card.tsx';

/** What is being dragged over the whole board, and how a column says that it is one of its cards. */
export type Drag = { dragged: RefObject<Task | null>; onDrag: (task: Task | null) => void };

/** The kind of what is dragged, so that a column takes nothing else. */
const KIND = 'atrium-task';

type Props = {
  tasks: readonly Task[];
  status: TaskStatus;
  label: string;
  /** What stands in a column without cards. */
  empty: string;
  drag: Drag;
  /** Which list it is: filters make it another. */
  list: string;
  onMove: (task: Task, to: TaskStatus) => void;
  onOpen: (id: string) => void;
};

/** To draw so few costs less than to find out which of them are in view. */
const FEW = 30;
/** What the first page has; more come once somebody asks for them. */
const MOST = 100;

/** A card with a title of one line; each is measured once it is drawn. */
const LAYOUT = { estimatedRowSize: 92, gap: 8 };

/** A column takes a card as a whole, wherever it is dropped: the place of a card is the server's to know. */
const WHOLE = { getDropTargetFromPoint: () => ({ type: 'root' }) as const };

/** The cards of a column, of which, where they are many, those in view are drawn: arrows move between them, Enter opens one, and the handle of each begins a drag by keyboard. */
export function CardList({ tasks, status, label, empty, drag, list, onMove, onOpen }: Props) {
  const { dragged, onDrag } = drag;
  const taskOf = (keys: Iterable<unknown>) => {
    const [key] = keys;
    return tasks.find(({ _id }) => _id === key);
  };
  const { dragAndDropHooks } = useDragAndDrop({
    getItems: (keys) => {
      const task = taskOf(keys);
      // Nothing to drop is refused everywhere.
      return task?.abilities.updateStatus ? [{ [KIND]: task._id, 'text/plain': task.title }] : [];
    },
    onDragStart: ({ keys }) => {
      const task = taskOf(keys) ?? null;
      if (task && !task.abilities.updateStatus) showError('This task cannot be moved', task.refusals?.updateStatus);
      onDrag(task);
    },
    onDragEnd: () => onDrag(null),
    acceptedDragTypes: [KIND],
    dropTargetDelegate: WHOLE,
    getDropOperation: ({ type }) =>
      type === 'root' && dragged.current !== null && dragged.current.status !== status ? 'move' : 'cancel',
    onRootDrop: () => {
      const task = dragged.current;
      // Before it moves: while something is dragged a column keeps its order, and what is new to it comes last.
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
  // On paper all cards are in view.
  if (useIsPrinting() || !isLong) return cards;
  return (
    <Virtualizer layout={ListLayout} layoutOptions={LAYOUT} shouldObserveItemSize>
      {cards}
    </Virtualizer>
  );
}

/**
 * Whether only what is in view is worth drawing. That is another list, which would take the focus, a drag or an open menu along: so it is
 * found out where another list is shown anyway, and one that grows card by card stays as it is.
 */
function useIsLong(count: number, list: string): boolean {
  const [known, setKnown] = useState({ list, isLong: count > FEW });
  const isOther = known.list !== list || (count > MOST && !known.isLong);
  const present = isOther ? { list, isLong: count > FEW } : known;
  if (isOther) setKnown(present);
  return present.isLong;
}

/* Tall enough to be hit with a card, however few it has. */
const List = styled(GridList)`
  flex: 1;
  min-height: 120px;
  margin: ${theme.space[1]} 0 ${theme.space[2]};
  border-radius: ${theme.radius.md};
  outline: none;
  /* As the layout of a long one has it; what says that a card may be dropped here stands among them. */
  > [data-key] ~ [data-key] {
    margin-top: ${LAYOUT.gap}px;
  }
  &[data-drop-target] {
    background: ${theme.color.accentSoft};
    box-shadow: 0 0 0 2px ${theme.color.accent};
  }
  &[data-focus-visible] {
    box-shadow: ${theme.shadow.focus};
  }
`;

const Empty = styled.p`
  padding: ${theme.space[5]} ${theme.space[3]};
  text-align: center;
  font: ${theme.text.sm};
  color: ${theme.color.text2};
`;
