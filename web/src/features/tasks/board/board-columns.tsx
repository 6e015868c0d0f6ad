import type { Project } from '@atrium/proto-events/http/projects';
import type { Task, TaskStatus } from '@atrium/proto-events/http/tasks';
import { memo, useCallback, useMemo, useRef, useState } from 'react';
import { ToggleButton } from 'react-aria-components/ToggleButton';
import { ToggleButtonGroup } from 'react-aria-components/ToggleButtonGroup';
import { styled } from 'styled-components';
import { COLUMNS } from '#entities/task/task-labels.ts';
import { useMedia } from '#lib/hooks/use-media.ts';
import { bareButton, focusRing } from '#ui/mixins.ts';
import { theme } from '#ui/theme.ts';
import { VisuallyHidden } from '#ui/visually-hidden.tsx';
import { BoardColumn } from './board-column.tsx';
import type { BoardFilters } from './board-filter-bar.tsx';
import type { Drag } from './card-list.tsx';
import { useTaskMoves } from './use-task-moves.ts';

type Props = {
  project: Project;
  filters: BoardFilters;
  shown: string;
  onShow: (status: TaskStatus) => void;
  onOpen: (id: string) => void;
  onCreate?: ((status: TaskStatus) => void) | undefined;
};

/** Memoized: typing in the search re-renders the board with each keystroke. */
export const BoardColumns = memo(function BoardColumns({ shown, onShow, ...rest }: Props) {
  const { moves, announcement, move } = useTaskMoves();
  const [counts, setCounts] = useState<Partial<Record<TaskStatus, string>>>({});
  const { isDragging, drag } = useDrag();
  const isSmall = useMedia(theme.media.small);
  const count = useCallback(
    (status: TaskStatus, text: string) =>
      setCounts((before) => ((before[status] ?? '') === text ? before : { ...before, [status]: text })),
    [],
  );
  return (
    <>
      <ColumnChoice counts={counts} shown={shown} onShow={onShow} />
      <Columns>
        {COLUMNS.map(({ status, label }) => (
          <BoardColumn
            {...rest}
            key={status}
            status={status}
            label={label}
            moves={moves}
            isShown={!isSmall || status === shown}
            isDragging={isDragging}
            drag={drag}
            onCount={count}
            onMove={move}
          />
        ))}
      </Columns>
      <VisuallyHidden role="status">{announcement}</VisuallyHidden>
    </>
  );
});

function useDrag(): { isDragging: boolean; drag: Drag } {
  const [isDragging, setDragging] = useState(false);
  // The dragged task must be known before the drop, so that its own column is no drop target.
  const dragged = useRef<Task | null>(null);
  const drag = useMemo(() => {
    const onDrag = (task: Task | null) => {
      dragged.current = task;
      setDragging(task !== null);
    };
    return { dragged, onDrag };
  }, []);
  return { isDragging, drag };
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

type ColumnChoiceProps = {
  counts: Partial<Record<TaskStatus, string>>;
  shown: string;
  onShow: (status: TaskStatus) => void;
};

function ColumnChoice({ counts, shown, onShow }: ColumnChoiceProps) {
  const choose = (keys: Set<string | number>) => {
    const column = COLUMNS.find(({ status }) => keys.has(status));
    if (column) onShow(column.status);
  };
  return (
    <Group
      aria-label="Column"
      selectionMode="single"
      disallowEmptySelection
      selectedKeys={[shown]}
      onSelectionChange={choose}
    >
      {COLUMNS.map(({ status, label }) => (
        <Choice key={status} id={status}>
          {label}
          <span>{counts[status] ?? ''}</span>
        </Choice>
      ))}
    </Group>
  );
}

const Group = styled(ToggleButtonGroup)`
  display: none;
  ${theme.media.small} {
    display: grid;
    grid-template-columns: repeat(4, auto);
    gap: 2px;
    margin-bottom: ${theme.space[3]};
    padding: 3px;
    border-radius: ${theme.radius.lg};
    background: ${theme.color.sunken};
  }
`;

const Choice = styled(ToggleButton)`
  display: flex;
  flex-wrap: wrap;
  align-items: center;
  justify-content: center;
  gap: 0 6px;
  min-height: 44px;
  padding: 0 4px;
  ${bareButton}
  border-radius: ${theme.radius.md};
  font: 500 ${theme.text.sm};
  color: ${theme.color.text2};
  span {
    font-variant-numeric: tabular-nums;
    color: ${theme.color.text3};
  }
  &[data-selected] {
    background: ${theme.color.selected};
    color: ${theme.color.text};
    box-shadow: ${theme.shadow.low};
  }
  ${focusRing}
`;
