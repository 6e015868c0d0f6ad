import { getWeekday, type SeriesRule, weekOfMonth } from '@atrium/proto-events/recurrence/rule';
import { mailtoUri } from '@atrium/proto-events/text/email';
import { dayInZone } from '@atrium/proto-events/wall-clock';
import { Temporal } from 'temporal-polyfill';
import { type Component, findFold, integer, local, type Property, text, toText, utc, utcValue } from './jcal.ts';
import { vtimezone } from './vtimezone.ts';

export type CalendarUser = { name: string; address: string };
export type RsvpStatus = 'pending' | 'accepted' | 'declined' | 'tentative';
type Attendee = CalendarUser & { status: RsvpStatus };

/** A meeting, a series, or one occurrence of a series, as calendars represent it. Times are instants in ISO 8601. */
export type CalendarEvent = {
  /** Id of the series, or of the meeting itself if it is not part of one; the UID derives from it. */
  calendarObjectId: string;
  sequence: number;
  /** The original start; only set for one occurrence. */
  recurrenceId?: string | null | undefined;
  title: string;
  description: string;
  location: string;
  meetingLink: string;
  startTime: string;
  endTime: string;
  /** The zone of the recurrence and of all written times. */
  timezone: string;
  /** Only set for a series. `until` is its last day in the zone, inclusive. */
  recurrence?: SeriesRule | null | undefined;
  /** Starts of occurrences that are excluded from the series (EXDATE). */
  excludedStarts?: readonly string[] | undefined;
  /** Omitted from the calendar if null, which means that the organizer is unknown. */
  organizer: CalendarUser | null;
  /** The sender address of emails, which acts on behalf of the organizer. */
  sentBy?: string | undefined;
  attendees: readonly Attendee[];
  /** Availability in the recipient's calendar; busy by default. */
  shownAs?: 'busy' | 'tentative' | 'free' | undefined;
};

/** The content of a file or an email part. */
export type Calendar = {
  /** Without a method, the calendar is for display only. */
  method?: 'REQUEST' | 'CANCEL' | undefined;
  /** The time at which the events were in this state. */
  stamp: string;
  events: readonly CalendarEvent[];
  /** Only set for a subscription: its name, the zone of its user, and its refresh interval (RFC 7986, section 5.7). */
  feed?: { name: string; timezone: string; refreshInterval: string } | undefined;
};

const PARTSTAT: Record<RsvpStatus, string> = {
  pending: 'NEEDS-ACTION',
  accepted: 'ACCEPTED',
  declined: 'DECLINED',
  tentative: 'TENTATIVE',
};

/**
 * Writes a calendar (RFC 5545), an invitation, or a cancellation (RFC 5546, sections 3.2.2 and 3.2.5). A series with
 * modified occurrences is one event with the rule, and one event for each of those, with the same `calendarObjectId`
 * and their `recurrenceId`.
 */
export function writeCalendar({ method, stamp, events, feed }: Calendar): string {
  const zones = Map.groupBy(events, ({ timezone }) => timezone);
  zones.delete('UTC');
  const components = [...zones].map(([zone, zoneEvents]) => vtimezone(zone, findEarliestStart(zoneEvents)));
  const at = Temporal.Instant.from(stamp);
  // A calendar must have at least one component (RFC 5545, section 3.6).
  if (events.length === 0) components.push(vtimezone(feed?.timezone ?? 'UTC', new Date(at.epochMilliseconds)));
  return toText([
    'vcalendar',
    [
      text('prodid', '-//Atrium//Meetings//EN'),
      text('version', '2.0'),
      ...(method === undefined ? [] : [text('method', method)]),
      ...(feed === undefined ? [] : feedProperties(feed)),
    ],
    [...components, ...events.map((event) => vevent(event, { at, isCancelled: method === 'CANCEL' }))],
  ]);
}

/**
 * Applications differ: Apple and Google read X-WR-CALNAME, Outlook X-PUBLISHED-TTL, the standard defines the others.
 */
const feedProperties = ({ name, timezone, refreshInterval }: NonNullable<Calendar['feed']>): Property[] => [
  text('name', name),
  text('x-wr-calname', name),
  text('x-wr-timezone', timezone),
  ['refresh-interval', {}, 'duration', refreshInterval],
  text('x-published-ttl', refreshInterval),
];

function findEarliestStart(events: readonly CalendarEvent[]): Date {
  const starts = events.flatMap(({ startTime, recurrenceId }) => [startTime, recurrenceId ?? startTime]);
  return new Date(Math.min(...starts.map((start) => Date.parse(start))));
}

function vevent(event: CalendarEvent, { at, isCancelled }: { at: Temporal.Instant; isCancelled: boolean }): Component {
  const time = (name: string, iso: string) => local(name, Temporal.Instant.from(iso), event.timezone);
  const properties = [
    text('uid', `${event.calendarObjectId}@atrium`),
    integer('sequence', event.sequence),
    utc('dtstamp', at),
    ...(event.recurrence ? seriesTimeProperties(event) : timeProperties(event)),
    ...(event.recurrenceId ? [time('recurrence-id', event.recurrenceId)] : []),
    ...(event.recurrence ? [rrule(event.recurrence, event)] : []),
    ...(event.excludedStarts ?? []).map((start) => time('exdate', start)),
    ...textProperties(event),
    text('status', isCancelled ? 'CANCELLED' : 'CONFIRMED'),
    text('transp', event.shownAs === 'free' ? 'TRANSPARENT' : 'OPAQUE'),
    text('x-microsoft-cdo-busystatus', (event.shownAs ?? 'busy').toUpperCase()),
    ...(event.organizer ? [organizer(event.organizer, event.sentBy), ...event.attendees.map(attendee)] : []),
  ];
  return ['vevent', properties, []];
}

/**
 * Uses the zone of the meeting, or UTC if a local time is ambiguous, because applications resolve those differently.
 */
function timeProperties({ startTime, endTime, timezone }: CalendarEvent): Property[] {
  const start = Temporal.Instant.from(startTime);
  const end = Temporal.Instant.from(endTime);
  const isUnambiguous = [start, end].every((time) => findFold(time, timezone) === undefined);
  return [
    isUnambiguous ? local('dtstart', start, timezone) : utc('dtstart', start),
    isUnambiguous ? local('dtend', end, timezone) : utc('dtend', end),
  ];
}

/**
 * Uses local times, which a series needs. An end in the repeated hour would be read as its first occurrence, so a
 * duration is written instead.
 */
function seriesTimeProperties({ startTime, endTime, timezone }: CalendarEvent): Property[] {
  const start = Temporal.Instant.from(startTime);
  const end = Temporal.Instant.from(endTime);
  const duration = start.until(end, { largestUnit: 'hours' }).toString();
  return [
    local('dtstart', start, timezone),
    findFold(end, timezone) === 'second' ? ['duration', {}, 'duration', duration] : local('dtend', end, timezone),
  ];
}

function textProperties({ title, description, location, meetingLink: link }: CalendarEvent): Property[] {
  // The URL parser removes line breaks, which would start a new calendar line.
  const meetingLink = URL.canParse(link) ? new URL(link).href : '';
  const fullDescription = [description, meetingLink && `Join: ${meetingLink}`].filter(Boolean).join('\n\n');
  return [
    text('summary', title),
    ...(fullDescription ? [text('description', fullDescription)] : []),
    ...(location || meetingLink ? [text('location', location || meetingLink)] : []),
    ...(meetingLink ? [['url', {}, 'uri', meetingLink] satisfies Property] : []),
  ];
}

function organizer({ name, address }: CalendarUser, sentBy: string | undefined): Property {
  const sender = sentBy === undefined ? {} : { 'sent-by': mailtoUri(sentBy) };
  return ['organizer', { cn: toSingleLine(name), ...sender }, 'cal-address', mailtoUri(address)];
}

function attendee({ name, address, status }: Attendee): Property {
  const parameters = {
    cutype: 'INDIVIDUAL',
    role: 'REQ-PARTICIPANT',
    partstat: PARTSTAT[status],
    rsvp: status === 'pending' ? 'TRUE' : 'FALSE',
    cn: toSingleLine(name),
  };
  return ['attendee', parameters, 'cal-address', mailtoUri(address)];
}

/** Removes characters that would end the quoted parameter or its line. */
const toSingleLine = (name: string) => name.replaceAll(/[\p{Cc}"]+/gu, ' ');

/**
 * Writes the end in UTC, as a rule with a TZID requires. Weeks begin on Monday, the default (RFC 5545, section 3.3.10).
 */
function rrule(rule: SeriesRule, { startTime, timezone }: Pick<CalendarEvent, 'startTime' | 'timezone'>): Property {
  const { frequency, interval, until } = rule;
  const recur = {
    freq: frequency.toUpperCase(),
    ...(interval > 1 && { interval }),
    ...ruleDays(rule, dayInZone(startTime, timezone)),
  };
  if (until === null) return ['rrule', {}, 'recur', recur];
  const dayAfter = Temporal.PlainDate.from(until).add({ days: 1 }).toZonedDateTime(timezone);
  return ['rrule', {}, 'recur', { ...recur, until: utcValue(dayAfter.subtract({ seconds: 1 }).toInstant()) }];
}

/** Returns the parts of a rule that DTSTART does not imply. */
function ruleDays({ frequency, weekdays, monthlyOn }: SeriesRule, day: string): object {
  if (frequency === 'weekly' && weekdays.length > 0) return { byday: weekdays.map(toByDay) };
  if (frequency !== 'monthly' || monthlyOn === 'date') return {};
  if (monthlyOn === 'lastDay') return { bymonthday: -1 };
  return { byday: `${monthlyOn === 'lastWeekday' ? -1 : weekOfMonth(day)}${toByDay(getWeekday(day))}` };
}

const toByDay = (weekday: string) => weekday.slice(0, 2).toUpperCase();
