import { isInCalendar } from '@atrium/proto-events/fields';
import { mailtoUri, readEmailAddress } from '@atrium/proto-events/text/email';
import ICAL from 'ical.js';
import { Temporal } from 'temporal-polyfill';

export type ReplyStatus = 'accepted' | 'declined' | 'tentative';

/** What somebody's calendar program says that they answered (RFC 5546, section 3.2.3). Times are instants in ISO 8601. */
export type CalendarReply = {
  /** The series, or the meeting where it stands alone. */
  calendarId: string;
  /** Of one occurrence: where the rule has it. */
  recurrenceId: string | null;
  /** The address that answers, as `readEmailAddress` has it. */
  attendee: string;
  status: ReplyStatus;
  /** The revision that was answered, and its start; null where the program does not say. */
  sequence: number | null;
  startTime: string | null;
  /** When it was answered. */
  stamp: string;
};

const STATUS: Readonly<Record<string, ReplyStatus>> = {
  ACCEPTED: 'accepted',
  DECLINED: 'declined',
  TENTATIVE: 'tentative',
};
const UID = /^([0-9a-f]{24})@atrium$/;

/**
 * The answers in a calendar that came by mail, from anybody: nothing of one that is no REPLY, is about something that is not ours, or
 * cannot be understood. Who may answer for whom is not looked at.
 */
export function readReplies(text: string): CalendarReply[] {
  try {
    const calendar = new ICAL.Component(ICAL.parse(text));
    if (String(calendar.getFirstPropertyValue('method')).toUpperCase() !== 'REPLY') return [];
    return calendar.getAllSubcomponents('vevent').flatMap(repliesIn);
  } catch {
    // Whoever writes what is no calendar answers nothing.
    return [];
  }
}

function repliesIn(event: ICAL.Component): CalendarReply[] {
  const [, calendarId] = UID.exec(String(event.getFirstPropertyValue('uid'))) ?? [];
  const stamp = timestampOf(event, 'dtstamp');
  const isSingle = event.hasProperty('recurrence-id');
  const recurrenceId = timestampOf(event, 'recurrence-id');
  // One meeting of which nobody can say which one is not the whole series.
  if (calendarId === undefined || stamp === null || (isSingle && recurrenceId === null)) return [];
  const about = {
    calendarId,
    recurrenceId,
    sequence: sequenceOf(event),
    startTime: timestampOf(event, 'dtstart'),
    stamp,
  };
  return event.getAllProperties('attendee').flatMap((one) => {
    const status = STATUS[String(one.getFirstParameter('partstat')).toUpperCase()];
    const attendee = status && readEmailAddress(String(one.getFirstValue()));
    return attendee ? [{ ...about, attendee, status }] : [];
  });
}

/** No revision that we have told: what is larger is no integer of calendars (RFC 5545, section 3.3.8), nor of events and databases. */
const MAX_SEQUENCE = 2 ** 31 - 1;

/** Null where it is no number that a revision can have: the program says none then. */
function sequenceOf(event: ICAL.Component): number | null {
  const value = event.getFirstPropertyValue('sequence');
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= MAX_SEQUENCE ? value : null;
}

/** The moment of a property; null where it has none, or nobody can say which moment it is, or the calendar of people (and PostgreSQL) has none such. */
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
    // A name of Outlook's own, which it describes beside it.
    return value.zone === ICAL.Timezone.localTimezone ? null : new Date(value.toUnixTime() * 1_000);
  }
}

const dateOf = (at: Temporal.ZonedDateTime) => new Date(at.epochMilliseconds);

/** The same calendar, whose answers go to another address than the organiser's own. */
export function withReplyAddress(text: string, address: string): string {
  const calendar = new ICAL.Component(ICAL.parse(text));
  for (const event of calendar.getAllSubcomponents('vevent')) {
    const organizer = event.getFirstProperty('organizer');
    organizer?.setValue(mailtoUri(address));
    organizer?.removeParameter('sent-by');
  }
  return `${calendar.toString()}\r\n`;
}
