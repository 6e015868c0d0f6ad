import { ArrowLeft, ArrowRight } from 'lucide-react';
import { type CSSProperties, type RefObject, useRef } from 'react';
import { styled } from 'styled-components';
import { bareButton, ellipsis, iconSize } from '../../mixins.ts';
import { theme } from '../../theme.ts';
import { VisuallyHidden } from '../../visually-hidden.tsx';
import { type Span, shiftSpan, spanLabel } from './timeline-days.ts';
import { useBarMove } from './use-bar-move.ts';
import { useHiddenSide } from './use-hidden-side.ts';

export type TimelineItem = {
  id: string;
  name: string;
  /** Follows the name. */
  detail?: string;
  span: Span;
  onOpen: () => void;
  /** Undefined if the user cannot move it. */
  onMove: ((days: number) => Promise<void>) | undefined;
};

type Props = {
  item: TimelineItem;
  /** In days, from the beginning of the timeline. */
  place: { start: number; length: number };
  /** In pixels. */
  dayWidth: number;
  scroller: RefObject<HTMLElement | null>;
};

/** A bar below its name, which stays within the visible part of the timeline wherever the bar is. */
export function TimelineBar({ item: { name, detail, span, onOpen, onMove }, place, dayWidth, scroller }: Props) {
  const bar = useRef<HTMLButtonElement>(null);
  const side = useHiddenSide(bar, scroller);
  const { days, isSaving, barProps } = useBarMove({ dayWidth, first: span.first, onOpen, onMove });
  const isMoved = days !== 0;
  const dates = spanLabel(shiftSpan(span, days));
  const style = { '--start': place.start + days, '--length': place.length } as CSSProperties;
  const act = () => {
    bar.current?.focus({ preventScroll: true });
    if (side) bar.current?.scrollIntoView({ inline: 'start', block: 'nearest' });
    else onOpen();
  };
  return (
    <div style={style}>
      {/* For pointers: a bar that gets the focus is scrolled into view. */}
      <NameLine aria-hidden="true">
        <Space />
        <Name type="button" tabIndex={-1} data-hidden={side !== undefined} onClick={act}>
          {side === 'before' && <ArrowLeft />}
          <span>
            <bdi>{isMoved ? dates : name}</bdi>
            {detail !== undefined && !isMoved && <small>{detail}</small>}
          </span>
          {side === 'after' && <ArrowRight />}
        </Name>
      </NameLine>
      <Bar
        ref={bar}
        type="button"
        {...barProps}
        data-moved={isMoved}
        data-movable={onMove !== undefined}
        aria-label={[name, dates, detail].filter((part) => part !== undefined).join(', ')}
      />
      <VisuallyHidden role="status">
        {isMoved && !isSaving ? `${dates}. Press Enter to save, Escape to cancel.` : ''}
      </VisuallyHidden>
    </div>
  );
}

const NameLine = styled.div`
  display: flex;
  height: 22px;
  /* The focus ring of the bar. */
  margin-bottom: 4px;
`;

/** Before the bar; less if the name would not fit. */
const Space = styled.span`
  width: calc(var(--start) * var(--day));
`;

const Name = styled.button`
  position: sticky;
  inset-inline: 0;
  display: inline-flex;
  flex: none;
  align-items: center;
  gap: ${theme.space[1]};
  max-width: 100cqw;
  padding: 0;
  ${bareButton}
  /* Over the mark of the current day. */
  background: ${theme.color.surface};
  color: ${theme.color.text};
  font: ${theme.text.sm};
  @media screen {
    &[data-hidden='true'] {
      color: ${theme.color.text2};
    }
  }
  span {
    ${ellipsis}
  }
  small {
    margin-inline-start: ${theme.space[2]};
    color: ${theme.color.text2};
  }
  ${iconSize(14)}
  svg {
    flex: none;
  }
  svg:dir(rtl) {
    transform: scaleX(-1);
  }
  @media print {
    position: relative;
    inset: auto;
    svg {
      display: none;
    }
  }
`;

const Bar = styled.button`
  display: block;
  width: calc(var(--length) * var(--day));
  min-width: 12px;
  height: 24px;
  margin-inline-start: calc(var(--start) * var(--day));
  padding: 0;
  border: 2px solid ${theme.color.accent};
  border-radius: ${theme.radius.sm};
  background: ${theme.color.accentSoft};
  cursor: pointer;
  scroll-margin-inline: 80px;
  &[data-movable='true'] {
    cursor: grab;
  }
  &[data-moved='true'] {
    border-style: dashed;
    cursor: grabbing;
  }
`;
