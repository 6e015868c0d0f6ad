import type { CalendarObject } from '@atrium/proto-events/events/meeting-calendar';

type Calendars = { calendar?: CalendarObject; calendarBefore?: CalendarObject };

/** Less than the smallest message that NATS takes unless it is told otherwise (1 MiB), with room for the facts beside it. */
const MOST_BYTES = 800_000;

/**
 * What an event carries of calendars. Where hundreds of people have answered hundreds of meetings each on its own, all of it would be more
 * than a message may be: then answers to single meetings are left out, and if that is not enough all of it, as earlier releases did.
 */
export function fitMessage(calendars: Calendars): Calendars {
  if (bytesOf(calendars) <= MOST_BYTES) return calendars;
  const lighter = {
    ...(calendars.calendar && { calendar: withoutSingleAnswers(calendars.calendar) }),
    ...(calendars.calendarBefore && { calendarBefore: withoutSingleAnswers(calendars.calendarBefore) }),
  };
  return bytesOf(lighter) <= MOST_BYTES ? lighter : {};
}

const bytesOf = (calendars: Calendars) => Buffer.byteLength(JSON.stringify(calendars));

/** An occurrence that differs in nothing else is as the series says then. */
function withoutSingleAnswers(calendar: CalendarObject): CalendarObject {
  const { master } = calendar;
  if (!master) return calendar;
  return { ...calendar, occurrences: calendar.occurrences.map(({ answers: _, ...one }) => one) };
}
