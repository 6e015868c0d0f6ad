import type { Day } from '#lib/time/day.ts';
import { type AxisDay, ROW_MS } from './axis.ts';
import type { CalendarEvent, ColumnItem } from './calendar-event.ts';
import type { Arrow, Span } from './span.ts';

/** A target of the arrow keys: an event, a free half hour, a day of a month, or its "more" link. */
export type Stop = {
  key: string;
  day: Day;
  kind: 'event' | 'slot' | 'day' | 'more';
  position: number;
  at: number;
  id: string;
};

/** The stop to focus, or the direction to turn the view and the index of the day to focus there. */
export type Step = { stop: Stop } | { direction: 1 | -1; index: number };

export const eventKey = (day: Day, id: string): string => `${day} ${id}`;

export function stopsOfHours(day: AxisDay, items: readonly ColumnItem[]): Stop[] {
  const sorted = items.toSorted((a, b) => a.from - b.from || b.to - a.to);
  const stops: Stop[] = [];
  for (const [index, position] of day.positions.entries()) {
    const half: Span = { start: day.start + index * ROW_MS, end: day.start + (index + 1) * ROW_MS };
    const startingItems = sorted.filter(({ from }) => from >= half.start && from < half.end);
    for (const { event, from, start } of startingItems)
      stops.push({
        key: eventKey(day.day, event.id),
        day: day.day,
        kind: 'event',
        position: start,
        at: from,
        id: event.id,
      });
    const isFree = !sorted.some(({ from, to }) => from < half.end && to > half.start);
    if (isFree) stops.push({ key: `${half.start}`, day: day.day, kind: 'slot', position, at: half.start, id: '' });
  }
  return stops;
}

export function stopsOfDay(day: Day, { start }: Span, shown: readonly CalendarEvent[], hasMore: boolean): Stop[] {
  const stop = (kind: Stop['kind'], id: string, position: number): Stop => ({
    key: kind === 'event' ? eventKey(day, id) : `${day} ${kind}`,
    day,
    kind,
    position,
    at: start,
    id,
  });
  return [
    stop('day', '', 0),
    ...shown.map((event, index) => stop('event', event.id, index + 1)),
    ...(hasMore ? [stop('more', '', shown.length + 1)] : []),
  ];
}

/** Returns the stop nearest to a vertical position; the upper of two equally near ones. */
export const nearest = (stops: readonly Stop[], position: number): Stop | undefined =>
  stops.reduce<Stop | undefined>(
    (best, stop) => (best && Math.abs(best.position - position) <= Math.abs(stop.position - position) ? best : stop),
    undefined,
  );

export function stepInHours(days: readonly (readonly Stop[])[], stop: Stop, arrow: Arrow): Step | undefined {
  const index = days.findIndex((stops) => stops[0]?.day === stop.day);
  const dayStops = days[index] ?? [];
  if (arrow === 'ArrowUp' || arrow === 'ArrowDown') {
    const next = dayStops[dayStops.findIndex(({ key }) => key === stop.key) + (arrow === 'ArrowDown' ? 1 : -1)];
    return next && { stop: next };
  }
  return sideways(days, index + (arrow === 'ArrowRight' ? 1 : -1), stop.position);
}

export function stepInMonth(days: readonly (readonly Stop[])[], stop: Stop, arrow: Arrow): Step | undefined {
  const index = days.findIndex((stops) => stops[0]?.day === stop.day);
  const dayStops = days[index] ?? [];
  if (arrow === 'ArrowLeft') return sideways(days, index - 1, 0);
  if (arrow === 'ArrowRight') return sideways(days, index + 1, 0);
  const at = dayStops.findIndex(({ key }) => key === stop.key);
  const next = at > 0 ? dayStops[at + (arrow === 'ArrowDown' ? 1 : -1)] : undefined;
  if (next) return { stop: next };
  return sideways(days, index + (arrow === 'ArrowDown' ? 7 : -7), 0);
}

function sideways(days: readonly (readonly Stop[])[], index: number, position: number): Step | undefined {
  if (index < 0) return { direction: -1, index: days.length + index };
  if (index >= days.length) return { direction: 1, index: index - days.length };
  const stop = nearest(days[index] ?? [], position);
  return stop && { stop };
}
