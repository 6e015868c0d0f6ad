import type { CalendarObject } from '@atrium/proto-events/events/meeting-calendar';
import { calendarAttached } from '@atrium/proto-events/events/meetings';
import { appendEvents } from '@atrium/service-kit/messaging/outbox';
import type { Queryable } from '@atrium/service-kit/postgres/postgres';
import { newId } from '@atrium/service-kit/process/new-id';

type Calendars = { calendar: CalendarObject; calendarBefore?: CalendarObject };
type Parts = { calendarParts?: { changeId: string; count: number } };
type About = { aggregate: string; actorId: string | null };
type Part = { of: keyof Calendars; occurrences: CalendarObject['occurrences']; excludedStarts: string[] };

/** A third of the default maximum payload of NATS (1 MiB), so that both calendars fit in an event. */
const MAX_PART_BYTES = 350_000;

/**
 * Returns the calendar fields of an event. Calendars too large for one message are published before it in parts of bounded size, which the
 * consumer joins (`calendarParts`).
 */
export async function attachCalendars(
  tx: Queryable,
  calendars: Required<Calendars>,
  about: About,
): Promise<Required<Calendars> & Parts>;
export async function attachCalendars(tx: Queryable, calendars: Calendars, about: About): Promise<Calendars & Parts>;
export async function attachCalendars(
  tx: Queryable,
  calendars: Calendars,
  { aggregate, actorId }: About,
): Promise<Calendars & Parts> {
  if (bytesOf(calendars) <= MAX_PART_BYTES) return calendars;
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
  return { ...withoutLists(calendars), calendarParts: { changeId, count: parts.length } };
}

const bytesOf = (value: unknown) => Buffer.byteLength(JSON.stringify(value));

/** At least one part, in calendar order. */
export function splitCalendars({ calendar, calendarBefore }: Calendars): Part[] {
  const parts = [...splitCalendar('calendar', calendar), ...splitCalendar('calendarBefore', calendarBefore)];
  return parts.length > 0 ? parts : [{ of: 'calendar', occurrences: [], excludedStarts: [] }];
}

function splitCalendar(of: keyof Calendars, calendar: CalendarObject | undefined): Part[] {
  const parts: Part[] = [];
  let room = 0;
  const reserve = (bytes: number): Part => {
    const last = parts.at(-1);
    room -= bytes;
    if (last && room >= 0) return last;
    const part: Part = { of, occurrences: [], excludedStarts: [] };
    parts.push(part);
    room = MAX_PART_BYTES - bytes;
    return part;
  };
  for (const one of calendar?.occurrences ?? []) reserve(bytesOf(one)).occurrences.push(one);
  for (const start of calendar?.master?.excludedStarts ?? []) reserve(bytesOf(start)).excludedStarts.push(start);
  return parts;
}

function withoutLists({ calendar, calendarBefore }: Calendars): Calendars {
  return {
    calendar: withoutList(calendar),
    ...(calendarBefore && { calendarBefore: withoutList(calendarBefore) }),
  };
}

const withoutList = ({ master, ...calendar }: CalendarObject): CalendarObject => ({
  ...calendar,
  master: master && { ...master, excludedStarts: [] },
  occurrences: [],
});
