import type { Entry } from '@atrium/calendar/personal-calendar';
import { writeCalendar } from '@atrium/calendar/write-calendar';
import type { EventOf } from '@atrium/proto-events/event';
import type { meetingScheduled } from '@atrium/proto-events/events/meetings';
import type { DirectoryUser } from '@atrium/proto-events/people';
import type { Deps } from '../deps.ts';
import { NOT_REPEATED } from '../email/mail-content.ts';
import type { Mailing } from '../email/queue-mails.ts';
import { findPeople, fullName, toOrganizer, toRecipient } from '../people.ts';
import { type CalendarNews, isCancellation, meetingTopic } from './calendar-updates.ts';

type MeetingEvent = Pick<EventOf<typeof meetingScheduled>, 'id' | 'requestId' | 'occurredAt'> & {
  data: Pick<EventOf<typeof meetingScheduled>['data'], 'meetingId' | 'calendarId' | 'sequence' | 'organizerId'>;
};

type Given = {
  news: readonly CalendarNews[];
  /** The zone in which occurrences are named. */
  timezone: string;
  changed: readonly string[];
  rsvpReset: boolean;
};

/** Beyond so many people each is told of themselves alone: a calendar that lists hundreds for each meeting of a series is megabytes. */
const MOST_NAMED = 100;
const MOST_LINES = 2_000;

function isTooLong(entries: readonly Entry[]): boolean {
  const counts = entries.map(({ participantIds }) => participantIds.length);
  return Math.max(...counts) > MOST_NAMED || counts.reduce((sum, count) => sum + count, 0) > MOST_LINES;
}

/** The mails that bring everybody's calendar up to date, in the order in which they are to be sent. */
export async function calendarMails(
  deps: Pick<Deps, 'directory' | 'mailAddress'>,
  event: MeetingEvent,
  given: Given,
): Promise<Mailing[]> {
  const organizer = deps.directory.user(event.data.organizerId);
  if (!organizer) return [];
  const mails: Mailing[] = [];
  for (const news of given.news) {
    const recipients = await findPeople(deps.directory, news.toIds);
    const isCrowd = isTooLong(news.entries);
    const groups = isCrowd ? recipients.map((one) => [one]) : [recipients];
    const named = isCrowd ? [] : await findPeople(deps.directory, attendeeIds(news));
    for (const group of groups) {
      const to = { group, organizer, people: isCrowd ? group : named, sentBy: deps.mailAddress };
      const own = isCrowd ? [group[0]?._id ?? ''] : [];
      if (group.length > 0) mails.push(toMailing(event, { ...given, one: news, to, own }));
    }
  }
  return mails;
}

/** Who is removed sees no others any more but those who are removed with them. */
function attendeeIds({ news, toIds, entries }: CalendarNews): string[] {
  return isCancellation(news) ? toIds : entries.flatMap(({ participantIds }) => participantIds);
}

type To = { group: DirectoryUser[]; organizer: DirectoryUser; people: DirectoryUser[]; sentBy: string };

function toMailing(
  event: MeetingEvent,
  { one, to, own, timezone, changed, rsvpReset }: Given & { one: CalendarNews; to: To; own: string[] },
): Mailing {
  const { news, part, ended } = one;
  const [entry] = one.entries;
  if (!entry) throw new Error('news of a meeting are about something');
  return {
    id: [event.id, news, ...(ended ? [ended.as] : []), ...(part === undefined ? [] : [part]), ...own].join(':'),
    kind: 'meeting',
    about: entry.meetingId ?? event.data.meetingId,
    requestId: event.requestId,
    occurredAt: event.occurredAt,
    topic: meetingTopic({ calendarId: event.data.calendarId, recurrenceId: entry.recurrenceId, news }),
    content: {
      template: 'meeting',
      news,
      organizer: fullName(to.organizer),
      meeting: { ...letterFacts(event, entry), ...firstTimes(one) },
      changed: changedOf(one, changed),
      rsvpReset,
      ...(ended && { ended }),
    },
    replyTo: to.organizer.email,
    calendar: calendarPart(event, { one, to, timezone }),
    recipients: to.group.map(toRecipient),
  };
}

const letterFacts = ({ data }: MeetingEvent, { recurrence, recurrenceId, ...entry }: Entry) => ({
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

/** Of a series whose first meeting was moved, the times of that meeting: the email says when the first one begins. */
function firstTimes({ entries: [entry, ...occurrences] }: CalendarNews) {
  const first = occurrences.find(({ recurrenceId }) => recurrenceId === entry?.startTime);
  return first && { startTime: first.startTime, endTime: first.endTime };
}

const OF_TIME = ['startTime', 'endTime', 'timezone'] as const;

/** Of a single meeting what is different about it, whatever else of its series was changed. */
function changedOf({ entries: [entry], before }: CalendarNews, changed: readonly string[]): string[] {
  if (!entry || !before || entry.recurrenceId === null) return [...changed];
  return OF_TIME.filter((field) => entry[field] !== before[field]);
}

function calendarPart(event: MeetingEvent, { one, to, timezone }: { one: CalendarNews; to: To; timezone: string }) {
  const { calendarId, sequence } = event.data;
  const method = isCancellation(one.news) ? 'CANCEL' : 'REQUEST';
  // A farewell to a series is one to all of it.
  const entries = method === 'CANCEL' ? one.entries.slice(0, 1) : one.entries;
  const events = entries.map((entry) => ({
    ...entry,
    calendarId,
    sequence,
    timezone,
    ...toOrganizer(to.organizer, to.sentBy),
    attendees: attendeesOf(entry, to, method),
  }));
  return { method, text: writeCalendar({ method, stamp: event.occurredAt, events }) } as const;
}

function attendeesOf({ participantIds, answers }: Entry, { people, organizer }: To, method: 'REQUEST' | 'CANCEL') {
  const statuses = new Map(answers.map(({ userId, status }) => [userId, status]));
  const invited = new Set(participantIds);
  return people
    .filter(({ _id }) => _id !== organizer._id && (method === 'CANCEL' || invited.has(_id)))
    .map((person) => ({
      name: fullName(person),
      address: person.email,
      status: statuses.get(person._id) ?? ('pending' as const),
    }));
}
