import { isInCalendar } from '@atrium/proto-events/fields';
import { mailtoUri, readEmailAddress } from '@atrium/proto-events/text/email';
import ICAL from 'ical.js';
import { Temporal } from 'temporal-polyfill';

type ReplyStatus = 'accepted' | 'declined' | 'tentative';

/** A response to an invitation from a calendar application (RFC 5546, section 3.2.3). Times are instants in ISO 8601. */
type CalendarReply = {
  /** The series, or the meeting itself if it is not part of one. */
  calendarId: string;
  /** For one occurrence: its original start. */
  recurrenceId: string | null;
  /** The responding address, as returned by `readEmailAddress`. */
  attendee: string;
  status: ReplyStatus;
  /** The answered revision and its start; null if the application does not send them. */
  sequence: number | null;
  startTime: string | null;
  stamp: string;
};

const STATUS: Readonly<Record<string, ReplyStatus>> = {
  ACCEPTED: 'accepted',
  DECLINED: 'declined',
  TENTATIVE: 'tentative',
};
const UID = /^([0-9a-f]{24})@atrium$/;

/** The responses in a received calendar: empty if it is no REPLY, foreign, or malformed. Authorization is not checked. */
export function readReplies(text: string): CalendarReply[] {
  try {
    const calendar = new ICAL.Component(ICAL.parse(text));
    if (String(calendar.getFirstPropertyValue('method')).toUpperCase() !== 'REPLY') return [];
    return calendar.getAllSubcomponents('vevent').flatMap(repliesIn);
  } catch {
    return [];
  }
}

function repliesIn(event: ICAL.Component): CalendarReply[] {
  const [, calendarId] = UID.exec(String(event.getFirstPropertyValue('uid'))) ?? [];
  const stamp = timestampOf(event, 'dtstamp');
  const isSingle = event.hasProperty('recurrence-id');
  const recurrenceId = timestampOf(event, 'recurrence-id');
  // An unidentifiable occurrence must not count as the whole series.
  if (calendarId === undefined || stamp === null || (isSingle && recurrenceId === null)) return [];
  const reply = {
    calendarId,
    recurrenceId,
    sequence: sequenceOf(event),
    startTime: timestampOf(event, 'dtstart'),
    stamp,
  };
  return event.getAllProperties('attendee').flatMap((property) => {
    const status = STATUS[String(property.getFirstParameter('partstat')).toUpperCase()];
    const attendee = status && readEmailAddress(String(property.getFirstValue()));
    return attendee ? [{ ...reply, attendee, status }] : [];
  });
}

/** Larger values are neither iCalendar integers (RFC 5545, section 3.3.8) nor valid revisions. */
const MAX_SEQUENCE = 2 ** 31 - 1;

function sequenceOf(event: ICAL.Component): number | null {
  const value = event.getFirstPropertyValue('sequence');
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= MAX_SEQUENCE ? value : null;
}

/** The timestamp of a property; null if it is absent, ambiguous, or outside the supported years. */
function timestampOf(event: ICAL.Component, name: string): string | null {
  const property = event.getFirstProperty(name);
  const value = property?.getFirstValue();
  if (!property || !(value instanceof ICAL.Time)) return null;
  const iso = instantOf(value, property.getFirstParameter('tzid'))?.toISOString();
  return iso !== undefined && isInCalendar(iso) ? iso : null;
}

function instantOf(value: ICAL.Time, zone: string | undefined): Date | null {
  const clock = { ...value.toJSON(), second: Math.min(value.second, 59) };
  const { year, month, day, hour, minute, second } = clock;
  const plain = Temporal.PlainDateTime.from({ year, month, day, hour, minute, second });
  if (!zone) return value.zone === ICAL.Timezone.utcTimezone ? dateOf(plain.toZonedDateTime('UTC')) : null;
  try {
    return dateOf(plain.toZonedDateTime(zone, { disambiguation: 'earlier' }));
  } catch {
    // A custom zone name of Outlook, defined in the calendar.
    return value.zone === ICAL.Timezone.localTimezone ? null : new Date(value.toUnixTime() * 1_000);
  }
}

const dateOf = (at: Temporal.ZonedDateTime) => new Date(at.epochMilliseconds);

/** The same calendar with another reply address than the organizer's own. */
export function withReplyAddress(text: string, address: string): string {
  const calendar = new ICAL.Component(ICAL.parse(text));
  for (const event of calendar.getAllSubcomponents('vevent')) {
    const organizer = event.getFirstProperty('organizer');
    organizer?.setValue(mailtoUri(address));
    organizer?.removeParameter('sent-by');
  }
  return `${calendar.toString()}\r\n`;
}
