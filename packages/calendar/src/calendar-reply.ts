import { hasFourDigitYear } from '@atrium/proto-events/fields';
import { mailtoUri, parseEmailAddress } from '@atrium/proto-events/text/email';
import ICAL from 'ical.js';
import { Temporal } from 'temporal-polyfill';

type ReplyStatus = 'accepted' | 'declined' | 'tentative';

/**
 * A response to an invitation from a calendar application (RFC 5546, section 3.2.3). Times are instants in ISO 8601.
 */
type CalendarReply = {
  /** Id of the calendar object, as in the event: of the series, or of the meeting itself if it is not part of one. */
  calendarId: string;
  /** The original start; null unless the reply is to one occurrence. */
  recurrenceId: string | null;
  /** The responding address, as returned by `parseEmailAddress`. */
  attendee: string;
  status: ReplyStatus;
  /** The revision that the attendee responded to, and its start; null if the application does not send them. */
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

/**
 * Returns the responses in a received calendar: none if it is malformed, not a REPLY, or about a foreign event. Does
 * not check authorization.
 */
export function readReplies(text: string): CalendarReply[] {
  try {
    const calendar = new ICAL.Component(ICAL.parse(text));
    if (String(calendar.getFirstPropertyValue('method')).toUpperCase() !== 'REPLY') return [];
    return calendar.getAllSubcomponents('vevent').flatMap(readEventReplies);
  } catch {
    return [];
  }
}

function readEventReplies(event: ICAL.Component): CalendarReply[] {
  const [, calendarId] = UID.exec(String(event.getFirstPropertyValue('uid'))) ?? [];
  const stamp = readTimestamp(event, 'dtstamp');
  const isToOccurrence = event.hasProperty('recurrence-id');
  const recurrenceId = readTimestamp(event, 'recurrence-id');
  // An unidentifiable occurrence must not count as the whole series.
  if (calendarId === undefined || stamp === null || (isToOccurrence && recurrenceId === null)) return [];
  const reply = {
    calendarId,
    recurrenceId,
    sequence: readSequence(event),
    startTime: readTimestamp(event, 'dtstart'),
    stamp,
  };
  return event.getAllProperties('attendee').flatMap((property) => {
    const status = STATUS[String(property.getFirstParameter('partstat')).toUpperCase()];
    const attendee = status && parseEmailAddress(String(property.getFirstValue()));
    return attendee ? [{ ...reply, attendee, status }] : [];
  });
}

/** Larger values are neither iCalendar integers (RFC 5545, section 3.3.8) nor valid revisions. */
const MAX_SEQUENCE = 2 ** 31 - 1;

function readSequence(event: ICAL.Component): number | null {
  const value = event.getFirstPropertyValue('sequence');
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= MAX_SEQUENCE ? value : null;
}

/** Reads the timestamp of a property; null if it is absent, ambiguous, or outside the supported years. */
function readTimestamp(event: ICAL.Component, name: string): string | null {
  const property = event.getFirstProperty(name);
  const value = property?.getFirstValue();
  if (!property || !(value instanceof ICAL.Time)) return null;
  const iso = toInstant(value, property.getFirstParameter('tzid'))?.toISOString();
  return iso !== undefined && hasFourDigitYear(iso) ? iso : null;
}

function toInstant(value: ICAL.Time, zone: string | undefined): Date | null {
  const { year, month, day, hour, minute } = value;
  const second = Math.min(value.second, 59);
  const localTime = Temporal.PlainDateTime.from({ year, month, day, hour, minute, second });
  if (!zone) return value.zone === ICAL.Timezone.utcTimezone ? toDate(localTime.toZonedDateTime('UTC')) : null;
  try {
    return toDate(localTime.toZonedDateTime(zone, { disambiguation: 'earlier' }));
  } catch {
    // A custom zone name of Outlook, defined in the calendar.
    return value.zone === ICAL.Timezone.localTimezone ? null : new Date(value.toUnixTime() * 1_000);
  }
}

const toDate = (at: Temporal.ZonedDateTime) => new Date(at.epochMilliseconds);

/** Replaces the organizer's address, to which calendar applications send replies. */
export function withReplyAddress(text: string, address: string): string {
  const calendar = new ICAL.Component(ICAL.parse(text));
  for (const event of calendar.getAllSubcomponents('vevent')) {
    const organizer = event.getFirstProperty('organizer');
    organizer?.setValue(mailtoUri(address));
    organizer?.removeParameter('sent-by');
  }
  return `${calendar.toString()}\r\n`;
}
