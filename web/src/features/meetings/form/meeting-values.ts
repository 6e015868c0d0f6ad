import type { Meeting } from '@atrium/proto-events/http/meetings/meeting-fields';
import { DEFAULT_RECURRENCE } from '@atrium/proto-events/recurrence/rule';
import { type Day, dayOfDate } from '#lib/time/day.ts';
import { HOUR_MS, MINUTE_MS, type Span } from '../layout/span.ts';
import type { Scope } from '../use-meeting-actions.ts';
import type { RecurrenceValue } from './form-recurrence.ts';

/** `who` is the presenter's user id, or empty. */
export type AgendaValues = { title: string; minutes: number | null; who: string };

/** Days are `YYYY-MM-DD`, times `HH:MM`, project and room ids; each is empty if not set. */
export type MeetingValues = {
  title: string;
  description: string;
  type: string;
  date: Day | '';
  startTime: string;
  endTime: string;
  location: string;
  meetingLink: string;
  agenda: string;
  agendaItems: AgendaValues[];
  project: string;
  room: string;
  participants: string[];
  isRecurring: boolean;
  recurringFrequency: string;
  recurrence: RecurrenceValue;
  recurringEndDate: Day | '';
  scope: Scope;
};

/** Returns the local time as `HH:MM`. */
export const clock = (time: Date) => time.toTimeString().slice(0, 5);

function toRecurrence({ recurrence }: Meeting): RecurrenceValue {
  if (recurrence === null) return DEFAULT_RECURRENCE;
  const { day: _day, ...value } = recurrence;
  return value;
}

export function valuesOf(meeting: Meeting): MeetingValues {
  const start = new Date(meeting.startTime);
  return {
    title: meeting.title,
    description: meeting.description,
    type: meeting.type,
    date: dayOfDate(start),
    startTime: clock(start),
    endTime: clock(new Date(meeting.endTime)),
    location: meeting.location,
    meetingLink: meeting.meetingLink,
    agenda: meeting.agenda,
    agendaItems: meeting.agendaItems.map(({ title, minutes, who }) => ({
      title,
      minutes,
      who: who?._id ?? '',
    })),
    project: meeting.project ?? '',
    room: meeting.room?._id ?? '',
    participants: meeting.participants.filter(({ _id }) => _id !== meeting.organizer._id).map(({ _id }) => _id),
    isRecurring: meeting.isRecurring,
    recurringFrequency: meeting.recurringFrequency ?? '',
    recurrence: toRecurrence(meeting),
    recurringEndDate: meeting.recurringEndDate ?? '',
    scope: 'this',
  };
}

const HALF_HOUR_MS = HOUR_MS / 2;
/** New meetings start at least this far ahead, because filling in the form takes time. */
const NOTICE_MS = 10 * MINUTE_MS;

/** Rounds up to a half hour of local time, which in Nepal is 15 minutes off the half-hour grid of UTC. */
export function nextHalfHour(at: Date): Date {
  const past = (at.getMinutes() * 60 + at.getSeconds()) * 1000 + at.getMilliseconds();
  return new Date(at.getTime() - past + Math.ceil(past / HALF_HOUR_MS) * HALF_HOUR_MS);
}

/** Returns the values of a selected time; the end is left empty if it is on a different day. */
function spanValues({ start, end }: Span): Pick<MeetingValues, 'date' | 'startTime' | 'endTime'> {
  const from = new Date(start);
  const to = new Date(end);
  const date = dayOfDate(from);
  return { date, startTime: clock(from), endTime: dayOfDate(to) === date ? clock(to) : '' };
}

/** What a meeting takes from where it is created. */
export type MeetingPrefill = Pick<MeetingValues, 'title' | 'description' | 'participants' | 'project'>;

export function newValues(day: Day | '', now = Date.now(), selectedSpan?: Span): MeetingValues {
  const start = nextHalfHour(new Date(now + NOTICE_MS));
  const today = dayOfDate(start);
  const isFutureDay = day !== '' && day > today;
  // The last hour of a day leaves no room for an hour-long meeting.
  const isLate = start.getHours() === 23;
  return {
    title: '',
    description: '',
    type: '',
    date: isFutureDay ? day : today,
    startTime: isFutureDay ? '09:00' : clock(start),
    endTime: isFutureDay ? '10:00' : isLate ? '' : clock(new Date(start.getTime() + 2 * HALF_HOUR_MS)),
    ...(selectedSpan && spanValues(selectedSpan)),
    location: '',
    meetingLink: '',
    agenda: '',
    agendaItems: [],
    project: '',
    room: '',
    participants: [],
    isRecurring: false,
    recurringFrequency: '',
    recurrence: DEFAULT_RECURRENCE,
    recurringEndDate: '',
    scope: 'this',
  };
}
