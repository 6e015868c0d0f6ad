import type { CalendarMeeting } from '@atrium/proto-events/http/meetings/meetings';
import { type AxisDay, getPosition, positionOfEnd } from './axis.ts';
import { DAY_MS, overlaps, type Span } from './span.ts';

/** A meeting, or a busy time of another user without details. */
export type CalendarEvent = Span & { id: string; title: string; meeting: CalendarMeeting | null };

export const toCalendarEvent = (meeting: CalendarMeeting): CalendarEvent => ({
  id: meeting._id,
  title: meeting.title,
  start: Date.parse(meeting.startTime),
  end: Date.parse(meeting.endTime),
  meeting,
});

/** Why events are not known; undefined once they are loaded. */
export type LoadState = 'loading' | 'failed' | undefined;

/** Counts the participants who are asked to respond again after a move: all but the organizer. */
export const countOthers = ({ meeting }: CalendarEvent): number => Math.max(0, (meeting?.participantCount ?? 0) - 1);

/** Events of a day or longer are shown above the hours. */
export const isLong = ({ start, end }: Span): boolean => end - start >= DAY_MS;

/** The part of an event on one day: `start` and `end` are positions on the axis, `from` and `to` instants. */
export type ColumnItem = Span & { event: CalendarEvent; from: number; to: number };

/** Minimum height in rows (20 minutes), so that the title is readable. */
const MIN_ROWS = 2 / 3;

export function partOn(day: AxisDay, span: Span): Omit<ColumnItem, 'event'> | undefined {
  if (!overlaps(span, day)) return undefined;
  const from = Math.max(span.start, day.start);
  const to = Math.min(span.end, day.end);
  const start = getPosition(day, from);
  return { from, to, start, end: Math.max(positionOfEnd(day, to), start + MIN_ROWS) };
}

export const toColumnItems = (day: AxisDay, events: readonly CalendarEvent[]): ColumnItem[] =>
  events.flatMap((event) => {
    const part = isLong(event) ? undefined : partOn(day, event);
    return part ? { event, ...part } : [];
  });

export const onDay = (day: Span, events: readonly CalendarEvent[]): CalendarEvent[] =>
  events.filter((event) => overlaps(event, day)).sort((a, b) => a.start - b.start || b.end - a.end);
