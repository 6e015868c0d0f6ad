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
/** What the occurrences of a series share, or a single meeting's own values. */
type CalendarSource = { calendarObjectId: string; sequence: number; timezone: string; organizerId: string };

export async function listUserEvents(
  db: Queryable,
  context: Context,
  meetings: readonly UserMeeting[],
): Promise<CalendarEvent[]> {
  const singleEvents = meetings
    .filter(({ series_id }) => series_id === null)
    .map((meeting) => toSingleEvent(context, meeting));
  const seriesEvents = (await listUserSeries(db, meetings)).flatMap((series) => toSeriesEvents(context, series));
  return [...singleEvents, ...seriesEvents];
}

export function toOccurrenceEvent(context: Context, series: SeriesRow, meeting: UserMeeting): CalendarEvent {
  const recurrenceId = meeting.original_start?.toISOString() ?? null;
  return toCalendarEvent(context, toCalendarSource(series), { ...toEntry(meeting), recurrenceId });
}

function toSingleEvent(context: Context, meeting: UserMeeting): CalendarEvent {
  const { id: calendarObjectId, sequence, timezone, organizer_id: organizerId } = meeting;
  return toCalendarEvent(context, { calendarObjectId, sequence, timezone, organizerId }, toEntry(meeting));
}

/**
 * Spans the listed meetings with the rule and excludes other starts, so that the calendar contains exactly the listed
 * ones.
 */
function toSeriesEvents(
  context: Context,
  { series, meetings, missingStarts, first, last }: UserSeries,
): CalendarEvent[] {
  const participantIds = series.participant_ids;
  const isNamed = (id: string) => id === context.userId || id === series.organizer_id;
  const listedSeries: SeriesRow = {
    ...series,
    first_start: first,
    last_day: localDay(last, series.timezone),
    excluded: missingStarts,
    participant_ids: participantIds.length > MAX_NAMED_PARTICIPANTS ? participantIds.filter(isNamed) : participantIds,
  };
  const seriesRsvps = findMostFrequentRsvps(listedSeries, meetings);
  const occurrences = meetings.map((meeting) => toOccurrence(listedSeries, seriesRsvps, meeting));
  const calendar = buildSeriesCalendar(listedSeries, { seriesRsvps, occurrences }, 0);
  // An uninvited administrator sees the meeting like its organizer.
  const isInvited = meetings.some(({ user_ids }) => user_ids.includes(context.userId));
  const viewer = isInvited ? context.userId : series.organizer_id;
  const slices = [...personalCalendar(calendar).slicesFor(viewer).values()];
  return slices.flatMap(({ entries }) =>
    entries.map((entry) => toCalendarEvent(context, toCalendarSource(series), entry)),
  );
}

/** Finds the most frequent RSVP of each participant, so that few occurrences differ from it. */
function findMostFrequentRsvps(series: SeriesRow, meetings: readonly UserMeeting[]): SeriesRsvps {
  const rsvps = series.participant_ids.flatMap((userId) => {
    const statuses = meetings.map((meeting) => meeting.rsvps[userId] ?? 'pending');
    const [mostFrequent] = [...Map.groupBy(statuses, (status) => status)].toSorted(
      ([, a], [, b]) => b.length - a.length,
    );
    return mostFrequent && mostFrequent[0] !== 'pending' ? [[userId, mostFrequent[0]] as const] : [];
  });
  return new Map(rsvps);
}

function toOccurrence(
  series: SeriesRow,
  seriesRsvps: SeriesRsvps,
  { original_start, user_ids, ...meeting }: UserMeeting,
) {
  if (original_start === null) throw new Error('Occurrence has no original start');
  const hasSameParticipants = series.participant_ids.toSorted().join() === user_ids.toSorted().join();
  const rsvps = user_ids.flatMap((id) => {
    const rsvp = meeting.rsvps[id] ?? 'pending';
    return rsvp === (seriesRsvps.get(id) ?? 'pending') ? [] : [[id, rsvp] as const];
  });
  return {
    ...meeting,
    original_start,
    user_ids: hasSameParticipants ? null : user_ids,
    rsvps: Object.fromEntries(rsvps),
  };
}

const toCalendarSource = ({ calendar_id, sequence, timezone, organizer_id }: SeriesRow): CalendarSource => ({
  calendarObjectId: calendar_id,
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
  answers: Object.entries(meeting.rsvps).map(([userId, status]) => ({ userId, status })),
  recurrenceId: null,
  meetingId: meeting.id,
  recurrence: null,
  excludedStarts: [],
});

const SHOWN_AS = { pending: 'busy', accepted: 'busy', tentative: 'tentative', declined: 'free' } as const;

function toCalendarEvent({ directory, userId }: Context, source: CalendarSource, entry: Entry): CalendarEvent {
  const { organizerId, ...calendarFields } = source;
  const statuses = new Map(entry.answers.map((rsvp) => [rsvp.userId, rsvp.status]));
  const attendees = entry.participantIds.flatMap((id) => {
    const attendee = id === organizerId ? undefined : toCalendarUser(directory.user(id));
    return attendee ? [{ ...attendee, status: statuses.get(id) ?? ('pending' as const) }] : [];
  });
  const organizer = toCalendarUser(directory.user(organizerId));
  return { ...entry, ...calendarFields, organizer, attendees, shownAs: SHOWN_AS[statuses.get(userId) ?? 'pending'] };
}

export function toCalendarUser(user: DirectoryUser | undefined): CalendarUser | null {
  if (!user || user.deleted) return null;
  return { name: `${user.firstName} ${user.lastName}`.trim() || user.email, address: user.email };
}
