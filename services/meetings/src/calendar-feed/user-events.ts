import { type Entry, personalCalendar } from '@atrium/calendar/personal-calendar';
import type { CalendarEvent, Person } from '@atrium/calendar/write-calendar';
import type { DirectoryUser } from '@atrium/proto-events/people';
import type { Directory } from '@atrium/service-kit/directory/directory';
import type { Queryable } from '@atrium/service-kit/postgres/postgres';
import { calendarOf } from '../calendar/calendar-object.ts';
import { words } from '../meetings/meeting-event-data.ts';
import { localDay } from '../series/recurrence.ts';
import type { SeriesRow } from '../series/series-repository.ts';
import type { SeriesAnswers } from '../series/series-rsvps.ts';
import { listOwnSeries, MOST_NAMED, type OwnMeeting } from './user-meetings.ts';

type Context = { directory: Directory; userId: string };
type Whole = { calendarId: string; sequence: number; timezone: string; organizerId: string };

/** What a calendar holds of these meetings of a person: each by itself, or in the series that it is of. */
export async function ownEvents(db: Queryable, context: Context, own: readonly OwnMeeting[]): Promise<CalendarEvent[]> {
  const alone = own.filter(({ series_id }) => series_id === null).map((meeting) => aloneEvent(context, meeting));
  const ofSeries = (await listOwnSeries(db, own)).flatMap((series) => seriesEvents(context, series));
  return [...alone, ...ofSeries];
}

/** One meeting of a series without the others. */
export function occurrenceEvent(context: Context, series: SeriesRow, meeting: OwnMeeting): CalendarEvent {
  const whole = wholeOf(series);
  return eventOf(context, whole, { ...entryOf(meeting), recurrenceId: meeting.original_start?.toISOString() ?? null });
}

function aloneEvent(context: Context, meeting: OwnMeeting): CalendarEvent {
  const { id: calendarId, sequence, timezone, organizer_id: organizerId } = meeting;
  return eventOf(context, { calendarId, sequence, timezone, organizerId }, entryOf(meeting));
}

type OwnSeries = { series: SeriesRow; members: readonly OwnMeeting[]; missing: readonly Date[] };

/**
 * The rule goes from the first of the meetings to the last, whatever the series was before or will be: so the calendar holds those that
 * are listed, no more and no less. Each that is none of theirs in between is left out of the rule.
 */
function seriesEvents(context: Context, { series, members, missing }: OwnSeries): CalendarEvent[] {
  const starts = members.map(({ original_start }) => Number(original_start));
  const [first, last] = [Math.min(...starts), Math.max(...starts)];
  const people = series.participant_ids;
  const isNamed = (id: string) => id === context.userId || id === series.organizer_id;
  const part: SeriesRow = {
    ...series,
    first_start: new Date(first),
    last_day: localDay(new Date(last), series.timezone),
    excluded: [...missing],
    participant_ids: people.length > MOST_NAMED ? people.filter(isNamed) : people,
  };
  const usual = usualAnswers(part, members);
  const occurrences = members.map((member) => asOccurrence(part, usual, member));
  const object = calendarOf(part, { usual, occurrences }, 0);
  // An administrator who is not invited sees it as its organiser does, who is never missing.
  const isInvited = members.some(({ user_ids }) => user_ids.includes(context.userId));
  const viewer = isInvited ? context.userId : series.organizer_id;
  const units = [...personalCalendar(object).slicesFor(viewer).values()];
  return units.flatMap(({ entries }) => entries.map((entry) => eventOf(context, wholeOf(series), entry)));
}

/** What each person of a series has answered to most of these of its meetings: so few of them differ from it. */
function usualAnswers(series: SeriesRow, members: readonly OwnMeeting[]): SeriesAnswers {
  const most = series.participant_ids.flatMap((userId) => {
    const given = members.map(({ answers }) => answers[userId] ?? 'pending');
    const [first] = [...Map.groupBy(given, (one) => one)].toSorted(([, one], [, other]) => other.length - one.length);
    return first && first[0] !== 'pending' ? [[userId, first[0]] as const] : [];
  });
  return new Map(most);
}

function asOccurrence(series: SeriesRow, usual: SeriesAnswers, { original_start, user_ids, ...meeting }: OwnMeeting) {
  if (original_start === null) throw new Error('a meeting of a series without its place');
  const isSame = series.participant_ids.toSorted().join() === user_ids.toSorted().join();
  const answers = user_ids.flatMap((id) => {
    const answer = meeting.answers[id] ?? 'pending';
    return answer === (usual.get(id) ?? 'pending') ? [] : [[id, answer] as const];
  });
  return { ...meeting, original_start, user_ids: isSame ? null : user_ids, answers: Object.fromEntries(answers) };
}

const wholeOf = ({ calendar_id, sequence, timezone, organizer_id }: SeriesRow): Whole => ({
  calendarId: calendar_id,
  sequence,
  timezone,
  organizerId: organizer_id,
});

const entryOf = (meeting: OwnMeeting): Entry => ({
  ...words(meeting),
  startTime: meeting.starts_at.toISOString(),
  endTime: meeting.ends_at.toISOString(),
  timezone: meeting.timezone,
  participantIds: meeting.user_ids,
  answers: Object.entries(meeting.answers).map(([userId, status]) => ({ userId, status })),
  recurrenceId: null,
  meetingId: meeting.id,
  recurrence: null,
  excludedStarts: [],
});

const SHOWN_AS = { pending: 'busy', accepted: 'busy', tentative: 'tentative', declined: 'free' } as const;

function eventOf({ directory, userId }: Context, whole: Whole, entry: Entry): CalendarEvent {
  const { organizerId, ...named } = whole;
  const statuses = new Map(entry.answers.map((answer) => [answer.userId, answer.status]));
  const attendees = entry.participantIds.flatMap((id) => {
    const person = id === organizerId ? undefined : personOf(directory.user(id));
    return person ? [{ ...person, status: statuses.get(id) ?? ('pending' as const) }] : [];
  });
  const organizer = personOf(directory.user(organizerId));
  return { ...entry, ...named, organizer, attendees, shownAs: SHOWN_AS[statuses.get(userId) ?? 'pending'] };
}

/** How a calendar names a person. */
export function personOf(user: DirectoryUser | undefined): Person | null {
  if (!user || user.deleted) return null;
  return { name: `${user.firstName} ${user.lastName}`.trim() || user.email, address: user.email };
}
