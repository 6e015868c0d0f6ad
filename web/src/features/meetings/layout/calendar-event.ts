import type { CalendarMeeting } from '@atrium/proto-events/http/meetings';
import type { AxisDay } from './axis.ts';
import { placeOf, placeOfEnd } from './axis.ts';
import { DAY_MS, overlaps, type Span } from './span.ts';

/** What a calendar shows: a meeting, or where it is somebody else's that they are busy and nothing more. */
export type CalendarEvent = Span & { id: string; title: string; meeting: CalendarMeeting | null };

export const eventOf = (meeting: CalendarMeeting): CalendarEvent => ({
  id: meeting._id,
  title: meeting.title,
  start: Date.parse(meeting.startTime),
  end: Date.parse(meeting.endTime),
  meeting,
});

/** How many people a move asks to respond again: everybody but the organizer. */
export const countOthers = ({ meeting }: CalendarEvent): number => Math.max(0, (meeting?.participantCount ?? 0) - 1);

/** What takes a day or more stands above the hours. */
export const isLong = ({ start, end }: Span): boolean => end - start >= DAY_MS;

/** What of an event stands on one day: places on the axis as `start` and `end`, its moments as `from` and `to`. */
export type ColumnItem = Span & { event: CalendarEvent; from: number; to: number };

/** The least that something takes of the axis, so that its title can be read: 20 minutes. */
const LEAST_ROWS = 2 / 3;

/** What of a stretch stands on a day; undefined where nothing does. */
export function partOn(day: AxisDay, span: Span): Omit<ColumnItem, 'event'> | undefined {
  if (!overlaps(span, day)) return undefined;
  const [from, to] = [Math.max(span.start, day.start), Math.min(span.end, day.end)];
  const start = placeOf(day, from);
  return { from, to, start, end: Math.max(placeOfEnd(day, to), start + LEAST_ROWS) };
}

/** The parts of events that stand on a day. One over midnight has a part on either side. */
export const itemsOf = (day: AxisDay, events: readonly CalendarEvent[]): ColumnItem[] =>
  events.flatMap((event) => {
    const part = isLong(event) ? undefined : partOn(day, event);
    return part ? { event, ...part } : [];
  });

/** Events of a day in the order in which a list shows them. */
export const onDay = (day: Span, events: readonly CalendarEvent[]): CalendarEvent[] =>
  events.filter((event) => overlaps(event, day)).sort((one, other) => one.start - other.start || other.end - one.end);
