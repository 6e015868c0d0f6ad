import { useLayoutEffect, useMemo, useRef } from 'react';
import { styled } from 'styled-components';
import { useStableCallback } from '#lib/hooks/use-stable-callback.ts';
import type { Day } from '#lib/time/day.ts';
import { theme } from '#ui/theme.ts';
import { type Box, Ghost } from '../drag-and-drop/ghost.tsx';
import { usePointerDrag } from '../drag-and-drop/use-pointer-drag.ts';
import { type Axis, createAxis, getPosition, instantAt, ROW_MS } from '../layout/axis.ts';
import { type CalendarEvent, partOn, toColumnItems } from '../layout/calendar-event.ts';
import { movedInHours, type Span, snapped } from '../layout/span.ts';
import { eventKey, nearest, type Stop, stepInHours, stopsOfHours } from '../layout/stops.ts';
import { AllDayLane } from './all-day-lane.tsx';
import { DayColumn } from './day-column.tsx';
import { ROW_PX } from './event-block.tsx';
import { DayHead, HEAD_PX, Hours, listZones } from './grid-headers.tsx';
import type { GridProps } from './grid-props.ts';
import { useEventGrid } from './use-event-grid.ts';

const HELP = 'Arrow keys move it, Shift and arrow keys change its end. Enter drops it, Escape cancels.';
const FIRST_HOUR = 7.5;

export function TimeGrid(props: GridProps) {
  const { days, events, loadState, today, label, pendingMove, onOpen, onDay, onSchedule } = props;
  const axis = useMemo(() => createAxis(days), [days]);
  const items = useMemo(() => axis.days.map((day) => toColumnItems(day, events)), [axis, events]);
  const stops = useMemo(() => axis.days.map((day, index) => stopsOfHours(day, items[index] ?? [])), [axis, items]);
  const scroller = useRef<HTMLDivElement>(null);
  const columns = useRef<HTMLDivElement>(null);
  const { roving, moving, findEvent, onKeyDown } = useEventGrid(props, {
    stops,
    first: firstStop(stops, today),
    prefersFirst: days.includes(today),
    step: stepInHours,
    moveByArrow: (span, arrow, isResizing) => showDays(movedInHours(span, arrow, isResizing), { axis, onDay }),
    help: HELP,
    findCursor: (event) => findCursor(axis, event),
    keepsPosition: true,
  });
  // Scrolls after the cursor has scrolled to its target.
  useInitialScroll(scroller, axis);
  const drag = usePointerDrag({
    instantAt: (x, y) => instantBelow(columns.current, axis, { x, y }),
    movedTo: ({ start, end }, grabbed, at) => {
      const to = snapped(start + at - grabbed);
      return { start: to, end: to + end - start };
    },
    findEvent,
    moving,
    onSchedule,
  });
  const open = useStableCallback(onOpen);
  const schedule = useStableCallback((span: Span) => onSchedule?.(span));
  const displayedMove = moving.currentMove ?? pendingMove;
  return (
    <Scroller ref={scroller}>
      <Sheet
        ref={roving.root}
        role="application"
        aria-roledescription="calendar"
        aria-label={label}
        $days={days.length}
        onKeyDown={onKeyDown}
        {...roving.handlers}
      >
        <Corner aria-hidden="true">
          {listZones(axis).map((zone) => (
            <span key={zone}>{zone}</span>
          ))}
        </Corner>
        {days.map((day) => (
          <DayHead key={day} day={day} isToday={day === today} onPick={props.onPickDay} />
        ))}
        <AllDayLane axis={axis} events={events} onOpen={open} />
        <Hours axis={axis} />
        <Columns ref={columns} {...drag} $days={days.length} style={{ height: axis.rows.length * ROW_PX }}>
          {axis.days.map((day, index) => (
            <DayColumn
              key={day.day}
              axis={axis}
              day={day}
              items={items[index] ?? []}
              loadState={loadState}
              isToday={day.day === today}
              active={roving.active?.day === day.day ? roving.active : null}
              movingEventId={displayedMove?.event?.id ?? null}
              onOpen={open}
              onSchedule={onSchedule && schedule}
            />
          ))}
          {displayedMove && <Ghost moved={displayedMove} boxes={toBoxes(axis, displayedMove.span)} />}
        </Columns>
      </Sheet>
    </Scroller>
  );
}

function findCursor(axis: Axis, { id, start }: Pick<CalendarEvent, 'id' | 'start'>) {
  const day = axis.days.find((axisDay) => start >= axisDay.start && start < axisDay.end);
  return day && { key: eventKey(day.day, id), day: day.day, position: getPosition(day, start) };
}

/** Returns the next stop on the current date if it is shown, otherwise nine o'clock on the first day. */
function firstStop(stops: readonly (readonly Stop[])[], today: Day): Stop | undefined {
  const todayStops = stops.find(([stop]) => stop?.day === today);
  if (todayStops) return todayStops.find(({ at }) => at >= Date.now()) ?? todayStops.at(-1);
  return nearest(stops[0] ?? [], 18);
}

function showDays(span: Span, { axis, onDay }: { axis: Axis; onDay: GridProps['onDay'] }): Span {
  const first = axis.days[0];
  const last = axis.days.at(-1);
  if (first && last && (span.start < first.start || span.start >= last.end)) onDay(new Date(span.start));
  return span;
}

function instantBelow(columns: HTMLElement | null, axis: Axis, { x, y }: { x: number; y: number }): number | undefined {
  const box = columns?.getBoundingClientRect();
  if (!box || box.width === 0) return undefined;
  const index = Math.floor(((x - box.left) / box.width) * axis.days.length);
  const day = axis.days[Math.min(Math.max(0, index), axis.days.length - 1)];
  return day && instantAt(day, Math.min(Math.max(0, (y - box.top) / ROW_PX), axis.rows.length));
}

function toBoxes(axis: Axis, span: Span): Box[] {
  return axis.days.flatMap((day, index) => {
    const part = partOn(day, span);
    if (!part) return [];
    const width = 100 / axis.days.length;
    return {
      key: day.day,
      left: `${index * width}%`,
      width: `calc(${width}% - 2px)`,
      top: `${part.start * ROW_PX}px`,
      height: `${(part.end - part.start) * ROW_PX}px`,
    };
  });
}

function useInitialScroll(scroller: { current: HTMLElement | null }, axis: Axis): void {
  const hours = useRef(axis);
  useLayoutEffect(() => {
    const [day] = hours.current.days;
    if (day && scroller.current)
      scroller.current.scrollTop = getPosition(day, day.start + FIRST_HOUR * 2 * ROW_MS) * ROW_PX;
  }, [scroller]);
}

/** Wide enough for 'GMT+12:45'. */
const GUTTER = '72px';
/** A whole number of hours, so that no label is cut off. */
const HEIGHT = `calc(round(down, 100dvh - 198px - ${HEAD_PX + 2}px, ${2 * ROW_PX}px) + ${HEAD_PX + 2}px)`;

const Scroller = styled.div`
  position: relative;
  overflow: auto;
  @media print {
    max-height: none;
    overflow: visible;
  }
  height: max(${8 * 2 * ROW_PX + HEAD_PX + 2}px, ${HEIGHT});
  border: 1px solid ${theme.color.line};
  border-radius: ${theme.radius.lg};
  background: ${theme.color.surface};
  box-shadow: ${theme.shadow.low};
  overscroll-behavior-x: contain;
`;

const Sheet = styled.div<{ $days: number }>`
  display: grid;
  grid-template-columns: ${GUTTER} repeat(${({ $days }) => $days}, minmax(${({ $days }) => ($days > 1 ? '92px' : '0')}, 1fr));
`;

const Corner = styled.div`
  position: sticky;
  top: 0;
  inset-inline-start: 0;
  z-index: 7;
  height: ${HEAD_PX}px;
  display: grid;
  align-content: end;
  padding: 0 ${theme.space[2]} ${theme.space[2]} 0;
  border-bottom: 1px solid ${theme.color.line};
  background: ${theme.color.surface};
  font: 11px / 16px var(--font);
  color: ${theme.color.text3};
  text-align: end;
`;

const Columns = styled.div<{ $days: number }>`
  position: relative;
  grid-column: 2 / -1;
  display: grid;
  grid-template-columns: repeat(${({ $days }) => $days}, minmax(0, 1fr));
  /* Dragging over free hours selects a time and must not select text. */
  user-select: none;
`;
