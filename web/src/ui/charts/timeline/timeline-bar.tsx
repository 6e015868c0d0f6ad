import { styled } from 'styled-components';
import { theme } from '../../theme.ts';
import { VisuallyHidden } from '../../visually-hidden.tsx';
import { daysFrom, type Span, shiftSpan, spanLabel } from './timeline-days.ts';
import { useBarMove } from './use-bar-move.ts';

export type TimelineItem = {
  id: string;
  name: string;
  /** Follows the name. */
  detail?: string;
  span: Span;
  onOpen: () => void;
  /** Undefined if the user cannot move it. */
  onMove: ((days: number) => void) | undefined;
};

type Props = {
  item: TimelineItem;
  /** In pixels from the beginning of the timeline. */
  start: number;
  dayWidth: number;
};

export function TimelineBar({ item: { name, detail, span, onOpen, onMove }, start, dayWidth }: Props) {
  const { days, barProps } = useBarMove({ dayWidth, onOpen, onMove });
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
        data-movable={onMove !== undefined}
        aria-label={[name, dates, detail].filter((part) => part !== undefined).join(', ')}
      />
      <Label aria-hidden="true">
        <bdi>{isMoved ? dates : name}</bdi>
        {detail !== undefined && !isMoved && <small>{detail}</small>}
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
  small {
    margin-inline-start: ${theme.space[2]};
    color: ${theme.color.text2};
  }
`;
