import type { Task } from '@atrium/proto-events/http/tasks';
import { styled } from 'styled-components';
import { theme } from '#ui/theme.ts';
import { VisuallyHidden } from '#ui/visually-hidden.tsx';
import { daysFrom, type Span, shiftSpan, spanLabel } from './timeline-days.ts';
import { useBarMove } from './use-bar-move.ts';

type Props = {
  task: Task;
  span: Span;
  /** In pixels from the beginning of the timeline. */
  start: number;
  dayWidth: number;
  onOpen: () => void;
};

export function TimelineBar({ task, span, start, dayWidth, onOpen }: Props) {
  const { days, barProps } = useBarMove({ task, dayWidth, onOpen });
  const isMoved = days !== 0;
  const dates = spanLabel(shiftSpan(span, days));
  const width = (daysFrom(span.first, span.last) + 1) * dayWidth;
  return (
    <Place style={{ insetInlineStart: start + days * dayWidth }}>
      <Bar
        type="button"
        {...barProps}
        style={{ width }}
        data-moved={isMoved}
        data-movable={task.abilities.update}
        aria-label={`${task.title}, ${dates}`}
      />
      <Label aria-hidden="true">
        <bdi>{isMoved ? dates : task.title}</bdi>
      </Label>
      <VisuallyHidden role="status">{isMoved ? `${dates}. Press Enter to save, Escape to cancel.` : ''}</VisuallyHidden>
    </Place>
  );
}

const Place = styled.div`
  position: absolute;
  top: 6px;
  display: flex;
  align-items: center;
  gap: ${theme.space[2]};
`;

const Bar = styled.button`
  flex: none;
  min-width: 12px;
  height: 32px;
  padding: 0;
  border: 2px solid ${theme.color.accent};
  border-radius: ${theme.radius.sm};
  background: ${theme.color.accentSoft};
  cursor: pointer;
  touch-action: pan-y;
  print-color-adjust: exact;
  &[data-movable='true'] {
    cursor: grab;
  }
  &[data-moved='true'] {
    border-style: dashed;
    cursor: grabbing;
  }
`;

const Label = styled.span`
  font: ${theme.text.sm};
  white-space: nowrap;
  pointer-events: none;
`;
