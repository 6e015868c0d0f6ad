import { type CSSProperties, useLayoutEffect, useRef } from 'react';
import { styled } from 'styled-components';
import { useToday } from '#lib/hooks/use-now.ts';
import { weekStartIndex } from '#lib/time/date-preferences.ts';
import { dateOfDay } from '#lib/time/day.ts';
import { formatTime } from '#lib/time/formats.ts';
import { theme } from '../../theme.ts';
import { TimelineBar, type TimelineItem } from './timeline-bar.tsx';
import { clipSpan, daysFrom, listMarks, type Span, type Unit } from './timeline-days.ts';

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

/** The width of a label. One that extends beyond the last day would widen the timeline. */
const MARK_PX = 48;

/** More labels than these would overlap on paper. */
const MAX_PRINTED_MARKS = 12;

export function TimelineGrid({ label, items, range, dayWidth, unit }: Props) {
  const today = useToday();
  const scroller = useRef<HTMLDivElement>(null);
  const daysUntil = (day: string) => daysFrom(range.first, day);
  const placeOf = (span: Span) => {
    const { first, last } = clipSpan(span, range);
    return { start: daysUntil(first), length: daysFrom(first, last) + 1 };
  };
  const todayOffset = daysUntil(today) * dayWidth;
  const shown = useRef({ dayWidth: 0, todayOffset: 0 });
  // Begins at today, also after zooming; shows the same days if an item has extended the range.
  useLayoutEffect(() => {
    const box = scroller.current;
    if (!box) return;
    const direction = getComputedStyle(box).direction === 'rtl' ? -1 : 1;
    const isZoomed = shown.current.dayWidth !== dayWidth;
    if (isZoomed) box.scrollLeft = direction * Math.max(0, todayOffset - SCROLL_MARGIN_PX);
    else box.scrollLeft += direction * (todayOffset - shown.current.todayOffset);
    shown.current = { dayWidth, todayOffset };
  }, [todayOffset, dayWidth]);
  const fits = (day: string) => daysFrom(day, range.last) * dayWidth >= MARK_PX;
  const marks = listMarks(range, unit, weekStartIndex()).filter(fits);
  const printedStep = Math.ceil(marks.length / MAX_PRINTED_MARKS);
  const isPrinted = (index: number) => index % printedStep === 0 && index + printedStep <= marks.length;
  const markFormat = unit === 'week' ? ({ day: 'numeric', month: 'short' } as const) : ({ month: 'short' } as const);
  return (
    <Scroller ref={scroller}>
      <Canvas style={{ '--days': daysUntil(range.last) + 1, '--day': `${dayWidth}px` } as CSSProperties}>
        <Marks aria-hidden="true">
          {marks.map((day, index) => (
            <Mark key={day} style={placeAt(daysUntil(day))} data-printed={isPrinted(index)}>
              {formatTime(dateOfDay(day), markFormat)}
            </Mark>
          ))}
        </Marks>
        <Today aria-hidden="true" style={placeAt(daysUntil(today) + 0.5)} />
        <ul aria-label={label}>
          {items.map((item) => (
            <Row key={item.id}>
              <TimelineBar item={item} place={placeOf(item.span)} dayWidth={dayWidth} scroller={scroller} />
            </Row>
          ))}
        </ul>
      </Canvas>
    </Scroller>
  );
}

const placeAt = (days: number) => ({ insetInlineStart: `calc(${days} * var(--day))` });

const Scroller = styled.div`
  container-type: inline-size;
  overflow-x: auto;
  padding-bottom: ${theme.space[2]};
  @media print {
    overflow: visible;
  }
`;

/** On paper, a day is as wide as lets all days fit. */
const Canvas = styled.div`
  position: relative;
  width: calc(var(--days) * var(--day));
  min-width: 100%;
  @media print {
    --day: calc(100cqw / var(--days)) !important;
  }
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
  @media print {
    &[data-printed='false'] {
      display: none;
    }
  }
`;

const Today = styled.div`
  position: absolute;
  top: 24px;
  bottom: 0;
  border-inline-start: 2px dashed ${theme.color.danger};
  pointer-events: none;
`;

const Row = styled.li`
  padding: ${theme.space[1]} 0 ${theme.space[2]};
  border-bottom: 1px solid ${theme.color.line};
  @media print {
    break-inside: avoid;
  }
`;
