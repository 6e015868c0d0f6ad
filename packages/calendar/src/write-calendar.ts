import { dayInZone, type SeriesRule, weekdayOf, weekOfMonth } from '@atrium/proto-events/recurrence';
import { mailtoUri } from '@atrium/proto-events/text/email';
import { Temporal } from 'temporal-polyfill';
import { type Component, foldOf, integer, local, type Property, text, toText, utc, utcValue } from './jcal.ts';
import { vtimezone } from './vtimezone.ts';

export type CalendarUser = { name: string; address: string };
export type ResponseStatus = 'pending' | 'accepted' | 'declined' | 'tentative';
export type Attendee = CalendarUser & { status: ResponseStatus };

/** One meeting, one series or one occurrence of a series, as calendars know it. Times are instants in ISO 8601. */
export type CalendarEvent = {
  /** The series, or the meeting where it stands alone; the UID is made from it. */
  calendarId: string;
  sequence: number;
  /** Of one occurrence: where the rule has it. */
  recurrenceId?: string | null | undefined;
  title: string;
  description: string;
  location: string;
  meetingLink: string;
  startTime: string;
  endTime: string;
  /** Where it repeats, and in which all its times are written. */
  timezone: string;
  /** Of a series: `until` is its last day in the zone, inclusive. */
  recurrence?: SeriesRule | null | undefined;
  /** Starts that the rule gives and that do not take place. */
  excludedStarts?: readonly string[] | undefined;
  /** Null where nobody is known any more; then nobody is named. */
  organizer: CalendarUser | null;
  /** The address that mails come from, which acts for the organiser. */
  sentBy?: string | undefined;
  attendees: readonly Attendee[];
  /** How it counts in the calendar of whom this is for; busy unless told. */
  shownAs?: 'busy' | 'tentative' | 'free' | undefined;
};

/** What a file or the part of a mail holds. `stamp` is when this was so; without a method it is for reading alone. */
export type Calendar = {
  method?: 'REQUEST' | 'CANCEL' | undefined;
  stamp: string;
  events: readonly CalendarEvent[];
  /** Of what can be subscribed to: its name, the zone of whom it is for, and how often it may be asked for (RFC 7986, section 5.7). */
  feed?: { name: string; timezone: string; every: string } | undefined;
};

const PARTSTAT: Record<ResponseStatus, string> = {
  pending: 'NEEDS-ACTION',
  accepted: 'ACCEPTED',
  declined: 'DECLINED',
  tentative: 'TENTATIVE',
};

/**
 * The text of a calendar (RFC 5545), of an invitation or a cancellation (RFC 5546, sections 3.2.2 and 3.2.5). A series that has
 * occurrences which differ is one event with the rule, and one for each of those, with the same `calendarId` and their `recurrenceId`.
 */
export function writeCalendar({ method, stamp, events, feed }: Calendar): string {
  const zones = Map.groupBy(events, ({ timezone }) => timezone);
  zones.delete('UTC');
  const components = [...zones].map(([zone, inZone]) => vtimezone(zone, earliest(inZone)));
  const at = Temporal.Instant.from(stamp);
  // A calendar of nothing at all is none (RFC 5545, section 3.6).
  if (events.length === 0) components.push(vtimezone(feed?.timezone ?? 'UTC', new Date(at.epochMilliseconds)));
  return toText([
    'vcalendar',
    [
      text('prodid', '-//Atrium//Meetings//EN'),
      text('version', '2.0'),
      ...(method === undefined ? [] : [text('method', method)]),
      ...(feed === undefined ? [] : aboutFeed(feed)),
    ],
    [...components, ...events.map((event) => vevent(event, { at, isCancelled: method === 'CANCEL' }))],
  ]);
}

/** Each program has its own word for it: Apple and Google read X-WR-CALNAME, Outlook X-PUBLISHED-TTL, the standard has the others. */
const aboutFeed = ({ name, timezone, every }: NonNullable<Calendar['feed']>): Property[] => [
  text('name', name),
  text('x-wr-calname', name),
  text('x-wr-timezone', timezone),
  ['refresh-interval', {}, 'duration', every],
  text('x-published-ttl', every),
];

function earliest(events: readonly CalendarEvent[]): Date {
  const times = events.flatMap(({ startTime, recurrenceId }) => [startTime, recurrenceId ?? startTime]);
  return new Date(Math.min(...times.map((time) => Date.parse(time))));
}

function vevent(event: CalendarEvent, { at, isCancelled }: { at: Temporal.Instant; isCancelled: boolean }): Component {
  const time = (name: string, iso: string) => local(name, Temporal.Instant.from(iso), event.timezone);
  const properties = [
    text('uid', `${event.calendarId}@atrium`),
    integer('sequence', event.sequence),
    utc('dtstamp', at),
    ...(event.recurrence ? sidesOfSeries(event) : sidesOf(event)),
    ...(event.recurrenceId ? [time('recurrence-id', event.recurrenceId)] : []),
    ...(event.recurrence ? [rrule(event.recurrence, event)] : []),
    ...(event.excludedStarts ?? []).map((start) => time('exdate', start)),
    ...words(event),
    text('status', isCancelled ? 'CANCELLED' : 'CONFIRMED'),
    text('transp', event.shownAs === 'free' ? 'TRANSPARENT' : 'OPAQUE'),
    text('x-microsoft-cdo-busystatus', (event.shownAs ?? 'busy').toUpperCase()),
    ...(event.organizer ? [organizer(event.organizer, event.sentBy), ...event.attendees.map(attendee)] : []),
  ];
  return ['vevent', properties, []];
}

/** When it is, in the zone of the meeting; in UTC where its clock shows one of both sides twice, for programs do not agree which one that means. */
function sidesOf({ startTime, endTime, timezone }: CalendarEvent): Property[] {
  const [start, end] = [Temporal.Instant.from(startTime), Temporal.Instant.from(endTime)];
  const isClear = [start, end].every((side) => foldOf(side, timezone) === undefined);
  return [
    isClear ? local('dtstart', start, timezone) : utc('dtstart', start),
    isClear ? local('dtend', end, timezone) : utc('dtend', end),
  ];
}

/** What repeats has to be told by the clock. An end that this shows for the second time would be taken for the first, and each date for shorter. */
function sidesOfSeries({ startTime, endTime, timezone }: CalendarEvent): Property[] {
  const [start, end] = [Temporal.Instant.from(startTime), Temporal.Instant.from(endTime)];
  const length = start.until(end, { largestUnit: 'hours' }).toString();
  return [
    local('dtstart', start, timezone),
    foldOf(end, timezone) === 'second' ? ['duration', {}, 'duration', length] : local('dtend', end, timezone),
  ];
}

function words({ title, description, location, meetingLink: given }: CalendarEvent): Property[] {
  // The URL parser takes line breaks out; a calendar line that holds one would begin another line.
  const meetingLink = URL.canParse(given) ? new URL(given).href : '';
  const about = [description, meetingLink && `Join: ${meetingLink}`].filter(Boolean).join('\n\n');
  return [
    text('summary', title),
    ...(about ? [text('description', about)] : []),
    ...(location || meetingLink ? [text('location', location || meetingLink)] : []),
    ...(meetingLink ? [['url', {}, 'uri', meetingLink] satisfies Property] : []),
  ];
}

function organizer({ name, address }: CalendarUser, sentBy: string | undefined): Property {
  const acts = sentBy === undefined ? {} : { 'sent-by': mailtoUri(sentBy) };
  return ['organizer', { cn: oneLine(name), ...acts }, 'cal-address', mailtoUri(address)];
}

function attendee({ name, address, status }: Attendee): Property {
  const parameters = {
    cutype: 'INDIVIDUAL',
    role: 'REQ-PARTICIPANT',
    partstat: PARTSTAT[status],
    rsvp: status === 'pending' ? 'TRUE' : 'FALSE',
    cn: oneLine(name),
  };
  return ['attendee', parameters, 'cal-address', mailtoUri(address)];
}

/** Of a name: what would end the quoted parameter, or its line. */
const oneLine = (name: string) => name.replaceAll(/[\p{Cc}"]+/gu, ' ');

/** Next to a TZID the rule needs its end as a timestamp in UTC. Weeks begin on Monday, which is the default (RFC 5545, section 3.3.10). */
function rrule(rule: SeriesRule, { startTime, timezone }: Pick<CalendarEvent, 'startTime' | 'timezone'>): Property {
  const { frequency, interval, until } = rule;
  const recur = {
    freq: frequency.toUpperCase(),
    ...(interval > 1 && { interval }),
    ...ruleDays(rule, dayInZone(startTime, timezone)),
  };
  if (until === null) return ['rrule', {}, 'recur', recur];
  const next = Temporal.PlainDate.from(until).add({ days: 1 }).toZonedDateTime(timezone);
  return ['rrule', {}, 'recur', { ...recur, until: utcValue(next.subtract({ seconds: 1 }).toInstant()) }];
}

/** What DTSTART does not imply. */
function ruleDays({ frequency, weekdays, monthlyOn }: SeriesRule, day: string): object {
  if (frequency === 'weekly' && weekdays.length > 0) return { byday: weekdays.map(twoLetters) };
  if (frequency !== 'monthly' || monthlyOn === 'date') return {};
  if (monthlyOn === 'lastDay') return { bymonthday: -1 };
  return { byday: `${monthlyOn === 'lastWeekday' ? -1 : weekOfMonth(day)}${twoLetters(weekdayOf(day))}` };
}

const twoLetters = (weekday: string) => weekday.slice(0, 2).toUpperCase();
