import {
  RESPONSES,
  rangeInMeetingZone,
  spokenTimeRange,
  TYPE_LABELS,
  timeInMeetingZone,
} from '#entities/meeting/meeting-labels.ts';
import { type Day, dateOfDay } from '#lib/time/day.ts';
import { formatTime } from '#lib/time/formats.ts';
import { clockTime, narrowClockTime } from '#ui/times/time-format.ts';
import type { CalendarEvent, LoadState } from './calendar-event.ts';
import type { Span } from './span.ts';

const iso = (at: number) => new Date(at).toISOString();

export const spanLabel = ({ start, end }: Span): string =>
  spokenTimeRange({ startTime: iso(start), endTime: iso(end) });

/** Returns the time of an event on one of its days: '10:00 to 11:00', 'from 22:00', 'all day', or 'until 02:00'. */
export function spanOnDay(day: Span, { start, end }: Span): string {
  const startsOnDay = start >= day.start;
  const endsOnDay = end <= day.end;
  if (startsOnDay && endsOnDay) return spanLabel({ start, end });
  if (startsOnDay) return `from ${clockTime(start)}`;
  return endsOnDay ? `until ${clockTime(end)}` : 'all day';
}

export const timeOnDay = (day: Span, event: Span): string =>
  event.start >= day.start ? narrowClockTime(event.start) : spanOnDay(day, event);

export const dayLabel = (day: Day): string => dateLabel(dateOfDay(day));
const dateLabel = (date: Date | undefined) => formatTime(date, { weekday: 'long', day: 'numeric', month: 'long' });

export function countLabel(count: number, loadState: LoadState): string {
  if (loadState) return loadStateLabel(loadState);
  return count === 0 ? 'no meetings' : count === 1 ? '1 meeting' : `${count} meetings`;
}

export const loadStateLabel = (loadState: NonNullable<LoadState>): string =>
  loadState === 'loading' ? 'loading' : 'not loaded';

export const spanWithDayLabel = (span: Span): string => `${dateLabel(new Date(span.start))}, ${spanLabel(span)}`;

export function eventLabel({ title, start, end, meeting }: CalendarEvent): string {
  const meetingZoneTime = meeting && rangeInMeetingZone(meeting);
  return [
    title,
    spanWithDayLabel({ start, end }),
    meetingZoneTime,
    meeting?.location,
    meeting && TYPE_LABELS[meeting.type],
    meeting?.isRecurring && 'repeats',
    meeting?.isPast && 'past',
    meeting?.response && RESPONSES[meeting.response].label.toLowerCase(),
  ]
    .filter(Boolean)
    .join(', ');
}

export const eventTitle = ({ title, start, end, meeting }: CalendarEvent): string =>
  [
    title,
    spanLabel({ start, end }),
    meeting && timeInMeetingZone(meeting),
    meeting?.location,
    meeting && TYPE_LABELS[meeting.type],
  ]
    .filter(Boolean)
    .join(' · ');

export function getImmovableReason({ meeting }: CalendarEvent): string | undefined {
  if (!meeting) return 'Only busy times are shown for colleagues';
  if (meeting.isPast) return 'This meeting has ended';
  return meeting.abilities.update ? undefined : 'Only Admin and Project Manager can edit meetings';
}
