import type { Entry } from '@atrium/calendar/personal-calendar';
import { writeCalendar } from '@atrium/calendar/write-calendar';
import type { EventOf } from '@atrium/proto-events/event';
import type { meetingScheduled } from '@atrium/proto-events/events/meetings';
import type { DirectoryUser } from '@atrium/proto-events/people';
import type { Deps } from '../deps.ts';
import type { Mailing } from '../email/queue-emails.ts';
import { isCancellation, NOT_REPEATED } from '../email/templates/email-content.ts';
import { toEmailRecipients } from '../notifications/notices.ts';
import { findUsers, formatFullName, toOrganizer } from '../users/find-users.ts';
import { type CalendarUpdate, meetingTopic, toNotice } from './calendar-updates.ts';

type MeetingEvent = Pick<EventOf<typeof meetingScheduled>, 'id' | 'requestId' | 'occurredAt'> & {
  data: Pick<EventOf<typeof meetingScheduled>['data'], 'meetingId' | 'calendarId' | 'sequence' | 'organizerId'>;
};

type CalendarEmailsParams = {
  updates: readonly CalendarUpdate[];
  timezone: string;
  changed: readonly string[];
  rsvpReset: boolean;
};

/**
 * Above this number, each recipient's calendar lists only the recipient: hundreds of attendees per occurrence would
 * take megabytes.
 */
const MAX_LISTED_ATTENDEES = 100;
const MAX_ATTENDEE_LINES = 2_000;

function hasTooManyAttendees(entries: readonly Entry[]): boolean {
  const counts = entries.map(({ participantIds }) => participantIds.length);
  return (
    Math.max(...counts) > MAX_LISTED_ATTENDEES || counts.reduce((sum, count) => sum + count, 0) > MAX_ATTENDEE_LINES
  );
}

export async function createCalendarEmails(
  deps: Pick<Deps, 'directory' | 'senderAddress'>,
  event: MeetingEvent,
  params: CalendarEmailsParams,
): Promise<Mailing[]> {
  const organizer = deps.directory.user(event.data.organizerId);
  if (!organizer) return [];
  const emails: Mailing[] = [];
  for (const update of params.updates) {
    const recipients = await findUsers(deps.directory, update.recipientIds);
    const isLarge = hasTooManyAttendees(update.entries);
    const groups = isLarge ? recipients.map((recipient) => [recipient]) : [recipients];
    const attendees = isLarge ? [] : await findUsers(deps.directory, attendeeIds(update));
    for (const group of groups) {
      const audience = {
        recipients: group,
        attendees: isLarge ? group : attendees,
        organizer,
        senderAddress: deps.senderAddress,
      };
      const recipientKey = isLarge ? group[0]?._id : undefined;
      if (group.length > 0) emails.push(toMailing(event, { ...params, update, audience, recipientKey }));
    }
  }
  return emails;
}

/** Removed users see only the users who are removed with them. */
function attendeeIds({ type, recipientIds, entries }: CalendarUpdate): string[] {
  return isCancellation(type) ? recipientIds : entries.flatMap(({ participantIds }) => participantIds);
}

type Audience = {
  recipients: DirectoryUser[];
  attendees: DirectoryUser[];
  organizer: DirectoryUser;
  senderAddress: string;
};

type MailingParams = CalendarEmailsParams & {
  update: CalendarUpdate;
  audience: Audience;
  /** Distinguishes the emails of one update that are sent to each recipient separately. */
  recipientKey: string | undefined;
};

function toMailing(event: MeetingEvent, { update, audience, recipientKey, ...params }: MailingParams): Mailing {
  const { type, variant, ended } = update;
  const [entry] = update.entries;
  if (!entry) throw new Error('Calendar update has no entries');
  return {
    event,
    group: [type, ended?.as, variant, recipientKey].filter((key) => key !== undefined).join(':'),
    kind: 'meeting',
    subjectId: entry.meetingId ?? event.data.meetingId,
    topic: meetingTopic({ calendarId: event.data.calendarId, recurrenceId: entry.recurrenceId, type }),
    content: {
      template: 'meeting',
      type,
      organizer: formatFullName(audience.organizer),
      meeting: { ...toEmailMeeting(event, entry), ...getFirstOccurrenceTimes(update) },
      changed: getChangedFields(update, params.changed),
      rsvpReset: params.rsvpReset,
      ...(ended && { ended }),
    },
    replyTo: audience.organizer.email,
    calendar: createCalendar(event, { update, audience, timezone: params.timezone }),
    recipients: toEmailRecipients(audience.recipients, toNotice(ended?.as ?? type)),
  };
}

const toEmailMeeting = ({ data }: MeetingEvent, { recurrence, recurrenceId, ...entry }: Entry) => ({
  calendarId: data.calendarId,
  recurrenceId,
  title: entry.title,
  description: entry.description,
  agenda: entry.agenda,
  location: entry.location,
  meetingLink: entry.meetingLink,
  startTime: entry.startTime,
  endTime: entry.endTime,
  timezone: entry.timezone,
  ...(recurrence ?? NOT_REPEATED),
});

/** If the first occurrence of a series was moved, its new times, so that the email states the actual start. */
function getFirstOccurrenceTimes({ entries: [entry, ...occurrences] }: CalendarUpdate) {
  const first = occurrences.find(({ recurrenceId }) => recurrenceId === entry?.startTime);
  return first && { startTime: first.startTime, endTime: first.endTime };
}

const TIME_FIELDS = ['startTime', 'endTime', 'timezone'] as const;

function getChangedFields({ entries: [entry], previousEntry }: CalendarUpdate, changed: readonly string[]): string[] {
  if (!entry || !previousEntry || entry.recurrenceId === null) return [...changed];
  return TIME_FIELDS.filter((field) => entry[field] !== previousEntry[field]);
}

function createCalendar(
  event: MeetingEvent,
  { update, audience, timezone }: { update: CalendarUpdate; audience: Audience; timezone: string },
) {
  const { calendarId, sequence } = event.data;
  const method = isCancellation(update.type) ? 'CANCEL' : 'REQUEST';
  // A cancellation of a series covers all of it.
  const entries = method === 'CANCEL' ? update.entries.slice(0, 1) : update.entries;
  const events = entries.map((entry) => ({
    ...entry,
    calendarObjectId: calendarId,
    sequence,
    timezone,
    ...toOrganizer(audience.organizer, audience.senderAddress),
    attendees: toAttendees(entry, audience, method),
  }));
  return { method, text: writeCalendar({ method, stamp: event.occurredAt, events }) } as const;
}

function toAttendees(
  { participantIds, answers: rsvps }: Entry,
  { attendees, organizer }: Audience,
  method: 'REQUEST' | 'CANCEL',
) {
  const statuses = new Map(rsvps.map(({ userId, status }) => [userId, status]));
  const invitedIds = new Set(participantIds);
  return attendees
    .filter(({ _id }) => _id !== organizer._id && (method === 'CANCEL' || invitedIds.has(_id)))
    .map((user) => ({
      name: formatFullName(user),
      address: user.email,
      status: statuses.get(user._id) ?? ('pending' as const),
    }));
}
