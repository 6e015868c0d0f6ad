import { type Entry, personalCalendar } from '@atrium/calendar/personal-calendar';
import type { CalendarEvent, CalendarUser } from '@atrium/calendar/write-calendar';
import type { DirectoryUser } from '@atrium/proto-events/people';
import type { Directory } from '@atrium/service-kit/directory/directory';
import type { Queryable } from '@atrium/service-kit/postgres/postgres';
import { buildSeriesCalendar } from '../events/calendar-object.ts';
import { meetingDetails } from '../events/meeting-event-data.ts';
import type { SeriesRsvps } from '../model/occurrence-repository.ts';
import type { SeriesRow } from '../model/series-repository.ts';
import { localDay } from '../recurrence/local-time.ts';
import { listUserSeries, MAX_NAMED_PARTICIPANTS, type UserMeeting, type UserSeries } from './user-meetings.ts';

type Context = { directory: Directory; userId: string };
type WholeSeries = { calendarId: string; sequence: number; timezone: string; organizerId: string };

export async function listUserEvents(
  db: Queryable,
  context: Context,
  own: readonly UserMeeting[],
): Promise<CalendarEvent[]> {
  const alone = own.filter(({ series_id }) => series_id === null).map((meeting) => singleEvent(context, meeting));
  const ofSeries = (await listUserSeries(db, own)).flatMap((series) => seriesEvents(context, series));
  return [...alone, ...ofSeries];
}

export function occurrenceEvent(context: Context, series: SeriesRow, meeting: UserMeeting): CalendarEvent {
  const recurrenceId = meeting.original_start?.toISOString() ?? null;
  return toCalendarEvent(context, toWholeSeries(series), { ...toEntry(meeting), recurrenceId });
}

function singleEvent(context: Context, meeting: UserMeeting): CalendarEvent {
  const { id: calendarId, sequence, timezone, organizer_id: organizerId } = meeting;
  return toCalendarEvent(context, { calendarId, sequence, timezone, organizerId }, toEntry(meeting));
}

/** The rule spans the listed meetings, and other starts in between are excluded: the calendar contains exactly the listed ones. */
function seriesEvents(context: Context, { series, members, missing, first, last }: UserSeries): CalendarEvent[] {
  const people = series.participant_ids;
  const isNamed = (id: string) => id === context.userId || id === series.organizer_id;
  const part: SeriesRow = {
    ...series,
    first_start: first,
    last_day: localDay(last, series.timezone),
    excluded: missing,
    participant_ids: people.length > MAX_NAMED_PARTICIPANTS ? people.filter(isNamed) : people,
  };
  const seriesRsvps = mostFrequentRsvps(part, members);
  const occurrences = members.map((member) => toOccurrence(part, seriesRsvps, member));
  const object = buildSeriesCalendar(part, { seriesRsvps, occurrences }, 0);
  // An uninvited administrator sees the meeting as its organizer does.
  const isInvited = members.some(({ user_ids }) => user_ids.includes(context.userId));
  const viewer = isInvited ? context.userId : series.organizer_id;
  const units = [...personalCalendar(object).slicesFor(viewer).values()];
  return units.flatMap(({ entries }) => entries.map((entry) => toCalendarEvent(context, toWholeSeries(series), entry)));
}

/** The most frequent RSVP of each participant, so that few occurrences differ from it. */
function mostFrequentRsvps(series: SeriesRow, members: readonly UserMeeting[]): SeriesRsvps {
  const most = series.participant_ids.flatMap((userId) => {
    const statuses = members.map(({ answers }) => answers[userId] ?? 'pending');
    const [first] = [...Map.groupBy(statuses, (status) => status)].toSorted(([, a], [, b]) => b.length - a.length);
    return first && first[0] !== 'pending' ? [[userId, first[0]] as const] : [];
  });
  return new Map(most);
}

function toOccurrence(
  series: SeriesRow,
  seriesRsvps: SeriesRsvps,
  { original_start, user_ids, ...meeting }: UserMeeting,
) {
  if (original_start === null) throw new Error('Occurrence has no original start');
  const isSame = series.participant_ids.toSorted().join() === user_ids.toSorted().join();
  const answers = user_ids.flatMap((id) => {
    const answer = meeting.answers[id] ?? 'pending';
    return answer === (seriesRsvps.get(id) ?? 'pending') ? [] : [[id, answer] as const];
  });
  return { ...meeting, original_start, user_ids: isSame ? null : user_ids, answers: Object.fromEntries(answers) };
}

const toWholeSeries = ({ calendar_id, sequence, timezone, organizer_id }: SeriesRow): WholeSeries => ({
  calendarId: calendar_id,
  sequence,
  timezone,
  organizerId: organizer_id,
});

const toEntry = (meeting: UserMeeting): Entry => ({
  ...meetingDetails(meeting),
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

function toCalendarEvent({ directory, userId }: Context, whole: WholeSeries, entry: Entry): CalendarEvent {
  const { organizerId, ...named } = whole;
  const statuses = new Map(entry.answers.map((answer) => [answer.userId, answer.status]));
  const attendees = entry.participantIds.flatMap((id) => {
    const person = id === organizerId ? undefined : toCalendarUser(directory.user(id));
    return person ? [{ ...person, status: statuses.get(id) ?? ('pending' as const) }] : [];
  });
  const organizer = toCalendarUser(directory.user(organizerId));
  return { ...entry, ...named, organizer, attendees, shownAs: SHOWN_AS[statuses.get(userId) ?? 'pending'] };
}

export function toCalendarUser(user: DirectoryUser | undefined): CalendarUser | null {
  if (!user || user.deleted) return null;
  return { name: `${user.firstName} ${user.lastName}`.trim() || user.email, address: user.email };
}
