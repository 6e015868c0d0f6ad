import type { Meeting } from '@atrium/proto-events/http/meeting-fields';
import { DEFAULT_RECURRENCE } from '@atrium/proto-events/recurrence';
import { type Day, dayOfDate } from '../../../lib/day.ts';
import type { AgendaValues } from '../agenda/agenda-field.tsx';
import { HOUR_MS, MINUTE_MS, type Span } from '../layout/span.ts';
import type { Scope } from '../use-meeting-actions.ts';
import type { RecurrenceValue } from './form-recurrence.ts';

/** What both forms hold: a day as `YYYY-MM-DD`, times as `HH:MM`, empty where nothing is chosen. */
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
  /** An id, or empty for none. */
  project: string;
  /** An id, or empty for none. */
  room: string;
  participants: string[];
  isRecurring: boolean;
  recurringFrequency: string;
  recurrence: RecurrenceValue;
  recurringEndDate: Day | '';
  /** For which meetings of a series an edit is. */
  scope: Scope;
};

/** `HH:MM` by the clock here. */
export const clock = (time: Date) => time.toTimeString().slice(0, 5);

function recurrenceOf({ recurrence }: Meeting): RecurrenceValue {
  if (recurrence === null) return DEFAULT_RECURRENCE;
  const { day: _day, ...value } = recurrence;
  return value;
}

/** The form as it begins for a meeting that there is. */
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
    recurrence: recurrenceOf(meeting),
    recurringEndDate: meeting.recurringEndDate ?? '',
    scope: 'this',
  };
}

const HALF_HOUR_MS = HOUR_MS / 2;
/** Nobody schedules what begins while they type. */
const NOTICE_MS = 10 * MINUTE_MS;

/** On the clock here, which in Nepal is a quarter of an hour off that of UTC. */
export function nextHalfHour(at: Date): Date {
  const past = (at.getMinutes() * 60 + at.getSeconds()) * 1000 + at.getMilliseconds();
  return new Date(at.getTime() - past + Math.ceil(past / HALF_HOUR_MS) * HALF_HOUR_MS);
}

/** The time of a form for what was marked; one that ends on another day has to be told when. */
function marked({ start, end }: Span): Pick<MeetingValues, 'date' | 'startTime' | 'endTime'> {
  const [from, to] = [new Date(start), new Date(end)];
  const date = dayOfDate(from);
  return { date, startTime: clock(from), endTime: dayOfDate(to) === date ? clock(to) : '' };
}

/** An empty form: for a time that was marked, or on the given day, or today, from the next half hour on. */
export function newValues(day: Day | '', now = Date.now(), at?: Span): MeetingValues {
  const start = nextHalfHour(new Date(now + NOTICE_MS));
  const today = dayOfDate(start);
  const isComing = day !== '' && day > today;
  // The last half hours of a day leave no room for an hour.
  const isLate = start.getHours() === 23;
  return {
    title: '',
    description: '',
    type: '',
    date: isComing ? day : today,
    startTime: isComing ? '09:00' : clock(start),
    endTime: isComing ? '10:00' : isLate ? '' : clock(new Date(start.getTime() + 2 * HALF_HOUR_MS)),
    ...(at && marked(at)),
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
