import type { CalendarObject } from '@atrium/proto-events/events/meeting-calendar';
import { calendarAttached, meetingUpdated } from '@atrium/proto-events/events/meetings';
import { appendEvent, appendEvents } from '@atrium/service-kit/messaging/outbox';
import type { Queryable } from '@atrium/service-kit/postgres/postgres';
import { newId } from '@atrium/service-kit/process/new-id';
import type { z } from 'zod';

type Calendars = { calendar: CalendarObject; calendarBefore?: CalendarObject };
type PartsReference = { calendarParts?: { changeId: string; count: number } };
type EventContext = { aggregate: string; actorId: string | null };
type Part = { of: keyof Calendars; occurrences: CalendarObject['occurrences']; excludedStarts: string[] };

/** A third of the default maximum payload of NATS (1 MiB), so that both calendars fit in an event. */
const MAX_PART_BYTES = 350_000;

/** Returns the calendar fields of an event. Appends calendars too large for one message in parts before it. */
export async function attachCalendars<C extends Calendars>(
  tx: Queryable,
  calendars: C,
  { aggregate, actorId }: EventContext,
): Promise<C & PartsReference> {
  if (countBytes(calendars) <= MAX_PART_BYTES) return calendars;
  const changeId = newId();
  const parts = splitCalendars(calendars);
  await appendEvents(
    tx,
    parts.map((part, index) => ({
      event: calendarAttached,
      data: { changeId, index, ...part },
      aggregate,
      actorId,
    })),
  );
  const { calendar, calendarBefore } = calendars;
  return {
    ...calendars,
    calendar: withoutLists(calendar),
    ...(calendarBefore && { calendarBefore: withoutLists(calendarBefore) }),
    calendarParts: { changeId, count: parts.length },
  };
}

type MeetingUpdate = {
  eventData: Omit<z.input<typeof meetingUpdated.data>, keyof Calendars | keyof PartsReference>;
  calendars: Required<Calendars>;
  actorId: string | null;
};

export async function appendMeetingUpdated(
  tx: Queryable,
  { eventData, calendars, actorId }: MeetingUpdate,
): Promise<void> {
  const context = { aggregate: eventData.calendarId, actorId };
  const data = { ...eventData, ...(await attachCalendars(tx, calendars, context)) };
  await appendEvent(tx, { event: meetingUpdated, data, ...context });
}

const countBytes = (value: unknown) => Buffer.byteLength(JSON.stringify(value));

/** Returns at least one part, in calendar order. */
export function splitCalendars({ calendar, calendarBefore }: Calendars): Part[] {
  const parts = [...splitCalendar('calendar', calendar), ...splitCalendar('calendarBefore', calendarBefore)];
  return parts.length > 0 ? parts : [{ of: 'calendar', occurrences: [], excludedStarts: [] }];
}

function splitCalendar(of: keyof Calendars, calendar: CalendarObject | undefined): Part[] {
  const parts: Part[] = [];
  let remainingBytes = 0;
  const reserve = (bytes: number): Part => {
    const lastPart = parts.at(-1);
    remainingBytes -= bytes;
    if (lastPart && remainingBytes >= 0) return lastPart;
    const part: Part = { of, occurrences: [], excludedStarts: [] };
    parts.push(part);
    remainingBytes = MAX_PART_BYTES - bytes;
    return part;
  };
  for (const occurrence of calendar?.occurrences ?? []) reserve(countBytes(occurrence)).occurrences.push(occurrence);
  for (const start of calendar?.master?.excludedStarts ?? []) reserve(countBytes(start)).excludedStarts.push(start);
  return parts;
}

const withoutLists = ({ master, ...calendar }: CalendarObject): CalendarObject => ({
  ...calendar,
  master: master && { ...master, excludedStarts: [] },
  occurrences: [],
});
