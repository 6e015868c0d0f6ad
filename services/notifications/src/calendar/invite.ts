import ical, {
  ICalAttendeeRole,
  ICalAttendeeStatus,
  ICalAttendeeType,
  ICalCalendarMethod,
  ICalEventBusyStatus,
  ICalEventStatus,
  ICalEventTransparency,
} from 'ical-generator';
import { Temporal } from 'temporal-polyfill';
import { vtimezone } from './vtimezone.ts';

type Person = { name: string; address: string };
type ResponseStatus = 'pending' | 'accepted' | 'declined' | 'tentative';

/** What a calendar program is told of a meeting. Times are instants; `timezone` is where they repeat. */
export type Invite = {
  method: 'REQUEST' | 'CANCEL';
  calendarId: string;
  sequence: number;
  recurrenceId: string | null;
  stamp: string;
  title: string;
  description: string;
  location: string;
  meetingLink: string;
  startTime: string;
  endTime: string;
  timezone: string;
  recurrence: { frequency: 'daily' | 'weekly' | 'monthly'; until: string | null } | null;
  /** Starts that the rule gives and that do not take place. */
  excluded?: readonly string[] | undefined;
  organizer: Person;
  /** The address that mails come from, which acts for the organiser. */
  sentBy: string;
  attendees: (Person & { status: ResponseStatus })[];
};

const STATUS: Record<ResponseStatus, ICalAttendeeStatus> = {
  pending: ICalAttendeeStatus.NEEDSACTION,
  accepted: ICalAttendeeStatus.ACCEPTED,
  declined: ICalAttendeeStatus.DECLINED,
  tentative: ICalAttendeeStatus.TENTATIVE,
};

/** The calendar object of an invitation or a cancellation (RFC 5546, sections 3.2.2 and 3.2.5). */
export function writeInvite(invite: Invite): string {
  const utc = invite.timezone === 'UTC';
  const calendar = ical({
    prodId: { company: 'Atrium', product: 'Meetings', language: 'EN' },
    method: invite.method === 'CANCEL' ? ICalCalendarMethod.CANCEL : ICalCalendarMethod.REQUEST,
  });
  if (!utc)
    calendar.timezone({ name: invite.timezone, generator: (zone) => vtimezone(zone, new Date(invite.startTime)) });
  const at = (iso: string) => Temporal.Instant.from(iso).toZonedDateTimeISO(invite.timezone);
  calendar.createEvent({
    id: `${invite.calendarId}@atrium`,
    sequence: invite.sequence,
    stamp: Temporal.Instant.from(invite.stamp).toZonedDateTimeISO('UTC'),
    start: at(invite.startTime),
    end: at(invite.endTime),
    timezone: utc ? null : invite.timezone,
    ...(invite.recurrenceId !== null && { recurrenceId: at(invite.recurrenceId) }),
    ...(invite.recurrence && { repeating: rule(invite.recurrence, invite) }),
    ...words(invite),
    status: invite.method === 'CANCEL' ? ICalEventStatus.CANCELLED : ICalEventStatus.CONFIRMED,
    transparency: ICalEventTransparency.OPAQUE,
    busystatus: ICalEventBusyStatus.BUSY,
    organizer: { name: oneLine(invite.organizer.name), email: invite.organizer.address, sentBy: invite.sentBy },
    attendees: invite.attendees.map(attendee),
  });
  return calendar.toString();
}

function words({ title, description, location, meetingLink: given }: Invite) {
  // The URL parser takes line breaks out; a calendar line that holds one would begin another line.
  const meetingLink = URL.canParse(given) ? new URL(given).href : '';
  const text = [description, meetingLink && `Join: ${meetingLink}`].filter(Boolean).join('\n\n');
  return {
    summary: title,
    ...(text && { description: text }),
    ...((location || meetingLink) && { location: location || meetingLink }),
    ...(meetingLink && { url: meetingLink }),
  };
}

function attendee({ name, address, status }: Invite['attendees'][number]) {
  return {
    name: oneLine(name),
    email: address,
    status: STATUS[status],
    rsvp: status === 'pending',
    role: ICalAttendeeRole.REQ,
    type: ICalAttendeeType.INDIVIDUAL,
  };
}

const oneLine = (text: string) => text.replaceAll(/[\r\n"]+/g, ' ');

/** `until` is the last day in the meeting's zone, inclusive; beside a TZID the rule needs it as an instant in UTC. */
function rule({ frequency, until }: NonNullable<Invite['recurrence']>, { timezone, excluded = [] }: Invite): string {
  const base = `RRULE:FREQ=${frequency.toUpperCase()}`;
  const endOfDay =
    until && Temporal.PlainDate.from(until).add({ days: 1 }).toZonedDateTime(timezone).subtract({ seconds: 1 });
  const rrule = endOfDay ? `${base};UNTIL=${compact(endOfDay.toInstant())}` : base;
  return [rrule, ...excluded.map((start) => exception(start, timezone))].join('\r\n');
}

function exception(start: string, timezone: string): string {
  if (timezone === 'UTC') return `EXDATE:${compact(Temporal.Instant.from(start))}`;
  return `EXDATE;TZID=${timezone}:${compact(Temporal.Instant.from(start).toZonedDateTimeISO(timezone).toPlainDateTime())}`;
}

/** The basic format of ISO 8601, such as 20261119T090000Z. */
const compact = (at: Temporal.Instant | Temporal.PlainDateTime) =>
  at.toString({ smallestUnit: 'second' }).replaceAll(/[-:]/g, '');
