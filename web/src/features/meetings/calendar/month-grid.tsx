import { useMemo, useRef } from 'react';
import { styled } from 'styled-components';
import { useMedia } from '#lib/hooks/use-media.ts';
import { useStableCallback } from '#lib/hooks/use-stable-callback.ts';
import { type Day, dateOfDay } from '#lib/time/day.ts';
import { formatTime } from '#lib/time/formats.ts';
import { CardSurface } from '#ui/pages/card.tsx';
import { theme } from '#ui/theme.ts';
import { type Box, Ghost } from '../drag-and-drop/ghost.tsx';
import { usePointerDrag } from '../drag-and-drop/use-pointer-drag.ts';
import { getDayBounds } from '../layout/axis.ts';
import { type CalendarEvent, onDay as eventsOn } from '../layout/calendar-event.ts';
import { suggestFirstHour } from '../layout/shown-range.ts';
import { DAY_MS, daysLater, movedInMonth, overlaps, type Span } from '../layout/span.ts';
import { eventKey, type Stop, stepInMonth, stopsOfDay } from '../layout/stops.ts';
import type { GridProps } from './grid-props.ts';
import { MonthCell } from './month-cell.tsx';
import { useEventGrid } from './use-event-grid.ts';

const HELP = 'Arrow keys move it by days and weeks. Enter drops it, Escape cancels.';
const WEEK = 7;
/** Maximum number of events shown on a day; if there are more, the last line shows their number. */
const MAX_EVENTS = 4;

type MonthDay = Span & { day: Day; eventCount: number; visibleEvents: CalendarEvent[] };

export function MonthGrid(props: GridProps) {
  const { days, day, today, loadState, label, pendingMove, onOpen, onPickDay, onSchedule } = props;
  const isSmall = useMedia(theme.media.small);
  const { cells, stops, sheet, roving, moving, drag, onKeyDown } = useMonth(props, isSmall);
  const open = useStableCallback(onOpen);
  const pick = useStableCallback(onPickDay);
  const schedule = useStableCallback((scheduledDay: Day) => onSchedule?.(suggestFirstHour(scheduledDay)));
  const enter = useStableCallback((stop: Stop | undefined) => stop && roving.go(stop));
  const displayedMove = moving.currentMove ?? pendingMove;
  return (
    <Frame
      ref={roving.root}
      role="application"
      aria-roledescription="calendar"
      aria-label={label}
      onKeyDown={onKeyDown}
      {...roving.handlers}
    >
      <Weekdays aria-hidden="true">
        {days.slice(0, WEEK).map((weekday) => (
          <span key={weekday}>{formatTime(dateOfDay(weekday), { weekday: 'short' })}</span>
        ))}
      </Weekdays>
      <Sheet ref={sheet} $weeks={days.length / WEEK} {...drag}>
        {cells.map((cell, index) => (
          <MonthCell
            key={cell.day}
            day={cell.day}
            isToday={cell.day === today}
            isOutside={cell.day.slice(0, 7) !== day.slice(0, 7)}
            eventCount={cell.eventCount}
            visibleEvents={cell.visibleEvents}
            loadState={loadState}
            isSmall={isSmall}
            active={roving.active?.day === cell.day ? roving.active.key : null}
            movingEventId={displayedMove?.event?.id ?? null}
            first={stops[index]?.[1]}
            onOpen={open}
            onPick={pick}
            onEnter={enter}
            onSchedule={onSchedule && schedule}
          />
        ))}
        {displayedMove && <Ghost moved={displayedMove} boxes={toBoxes(cells, displayedMove.span)} />}
      </Sheet>
    </Frame>
  );
}

function useMonth(props: GridProps, isSmall: boolean) {
  const { days, day, events, onDay } = props;
  const cells = useMemo(() => days.map((shownDay) => toMonthDay(shownDay, events)), [days, events]);
  const stops = useMemo(
    () =>
      cells.map((cell) =>
        stopsOfDay(
          cell.day,
          cell,
          isSmall ? [] : cell.visibleEvents,
          !isSmall && cell.eventCount > cell.visibleEvents.length,
        ),
      ),
    [cells, isSmall],
  );
  const first = (stops.find(([stop]) => stop?.day === day) ?? stops[0])?.[0];
  const sheet = useRef<HTMLDivElement>(null);
  const cellAt = (at: number) => cells.find(({ start, end }) => at >= start && at < end);
  const { roving, moving, findEvent, onKeyDown } = useEventGrid(props, {
    stops,
    first,
    prefersFirst: true,
    step: stepInMonth,
    moveByArrow(span, arrow) {
      const next = movedInMonth(span, arrow);
      if (!cellAt(next.start)) onDay(new Date(next.start));
      return next;
    },
    help: HELP,
    findCursor({ id, start }) {
      const cell = cellAt(start);
      return cell && { key: eventKey(cell.day, id), day: cell.day, position: 1 };
    },
    keepsPosition: false,
  });
  const drag = usePointerDrag({
    instantAt: (x, y) => cellBelow(sheet.current, cells, { x, y })?.start,
    movedTo: (span, grabbed, at) => daysLater(span, daysBetween(grabbed, at)),
    findEvent,
    moving,
  });
  return { cells, stops, sheet, roving, moving, drag, onKeyDown };
}

function toMonthDay(day: Day, events: readonly CalendarEvent[]): MonthDay {
  const bounds = getDayBounds(day);
  const dayEvents = eventsOn(bounds, events);
  return {
    ...bounds,
    day,
    eventCount: dayEvents.length,
    visibleEvents: dayEvents.length > MAX_EVENTS ? dayEvents.slice(0, MAX_EVENTS - 1) : dayEvents,
  };
}

function cellBelow(
  sheet: HTMLElement | null,
  cells: readonly MonthDay[],
  { x, y }: { x: number; y: number },
): MonthDay | undefined {
  const box = sheet?.getBoundingClientRect();
  if (!box || box.width === 0) return undefined;
  const weeks = cells.length / WEEK;
  const within = (share: number, count: number) => Math.min(count - 1, Math.max(0, Math.floor(share * count)));
  return cells[within((y - box.top) / box.height, weeks) * WEEK + within((x - box.left) / box.width, WEEK)];
}

/** Counts calendar days: consecutive midnights may be 23 hours apart. */
const daysBetween = (from: number, to: number) => Math.round((to - from) / DAY_MS);

function toBoxes(cells: readonly MonthDay[], span: Span): Box[] {
  const height = 100 / (cells.length / WEEK);
  const width = 100 / WEEK;
  return cells.flatMap((cell, index) =>
    overlaps(cell, span)
      ? {
          key: cell.day,
          left: `${(index % WEEK) * width}%`,
          width: `calc(${width}% - 4px)`,
          top: `calc(${Math.floor(index / WEEK) * height}% + 30px)`,
          height: '38px',
        }
      : [],
  );
}

const Frame = styled(CardSurface)`
  overflow: hidden;
`;

const Weekdays = styled.div`
  display: grid;
  grid-template-columns: repeat(7, minmax(0, 1fr));
  border-bottom: 1px solid ${theme.color.line};
  > span {
    padding: ${theme.space[2]};
    font: 500 ${theme.text.xs};
    color: ${theme.color.text2};
    text-align: center;
  }
`;

const Sheet = styled.div<{ $weeks: number }>`
  position: relative;
  display: grid;
  grid-template-columns: repeat(7, minmax(0, 1fr));
  grid-template-rows: repeat(${({ $weeks }) => $weeks}, minmax(136px, 1fr));
  min-height: max(${({ $weeks }) => $weeks * 136}px, calc(100dvh - 274px));
  ${theme.media.small} {
    grid-template-rows: repeat(${({ $weeks }) => $weeks}, 68px);
    min-height: 0;
  }
`;
