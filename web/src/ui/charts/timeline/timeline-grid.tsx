import { useEffect, useRef } from 'react';
import { styled } from 'styled-components';
import { useToday } from '#lib/hooks/use-now.ts';
import { weekStartIndex } from '#lib/time/date-preferences.ts';
import { dateOfDay } from '#lib/time/day.ts';
import { formatTime } from '#lib/time/formats.ts';
import { theme } from '../../theme.ts';
import { TimelineBar, type TimelineItem } from './timeline-bar.tsx';
import { daysFrom, listMarks, type Span, type Unit } from './timeline-days.ts';

type Props = {
  /** The accessible name of the list. */
  label: string;
  items: readonly TimelineItem[];
  range: Span;
  /** In pixels. */
  dayWidth: number;
  unit: Unit;
};

const SCROLL_MARGIN_PX = 80;

export function TimelineGrid({ label, items, range, dayWidth, unit }: Props) {
  const today = useToday();
  const scroller = useRef<HTMLDivElement>(null);
  const offsetOf = (day: string) => daysFrom(range.first, day) * dayWidth;
  const todayOffset = offsetOf(today);
  // Begins at today, also after zooming.
  useEffect(() => {
    const box = scroller.current;
    if (!box) return;
    const direction = getComputedStyle(box).direction === 'rtl' ? -1 : 1;
    box.scrollLeft = direction * Math.max(0, todayOffset - SCROLL_MARGIN_PX);
  }, [todayOffset]);
  const markFormat = unit === 'week' ? ({ day: 'numeric', month: 'short' } as const) : ({ month: 'short' } as const);
  return (
    <Scroller ref={scroller}>
      <Canvas style={{ width: (daysFrom(range.first, range.last) + 1) * dayWidth }}>
        <Marks aria-hidden="true">
          {listMarks(range, unit, weekStartIndex()).map((day) => (
            <Mark key={day} style={{ insetInlineStart: offsetOf(day) }}>
              {formatTime(dateOfDay(day), markFormat)}
            </Mark>
          ))}
        </Marks>
        <Today aria-hidden="true" style={{ insetInlineStart: todayOffset + dayWidth / 2 }} />
        <ul aria-label={label}>
          {items.map((item) => (
            <Line key={item.id}>
              <TimelineBar item={item} start={offsetOf(item.span.first)} dayWidth={dayWidth} />
            </Line>
          ))}
        </ul>
      </Canvas>
    </Scroller>
  );
}

const Scroller = styled.div`
  overflow-x: auto;
  padding-bottom: ${theme.space[2]};
  @media print {
    overflow: visible;
  }
`;

const Canvas = styled.div`
  position: relative;
  min-width: 100%;
`;

const Marks = styled.div`
  position: relative;
  height: 24px;
  border-bottom: 1px solid ${theme.color.line};
`;

const Mark = styled.span`
  position: absolute;
  bottom: 0;
  height: 20px;
  padding-inline-start: ${theme.space[1]};
  border-inline-start: 1px solid ${theme.color.line};
  font: ${theme.text.xs};
  color: ${theme.color.text3};
  white-space: nowrap;
`;

const Today = styled.div`
  position: absolute;
  top: 24px;
  bottom: 0;
  border-inline-start: 2px dashed ${theme.color.danger};
  pointer-events: none;
`;

const Line = styled.li`
  position: relative;
  height: 44px;
  border-bottom: 1px solid ${theme.color.line};
`;
