import { createMeetingBody, type Meeting, updateMeetingBody } from '@atrium/proto-events/http/meeting-fields';
import { z } from 'zod';
import { ownZone } from '../../../entities/meeting/meeting-words.ts';
import { type Day, dateOfDay, dayOfDate } from '../../../lib/day.ts';
import type { AgendaValues } from '../agenda/agenda-field.tsx';
import type { Scope } from '../use-meeting-actions.ts';

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
  recurringEndDate: Day | '';
  /** For which meetings of a series an edit is. */
  scope: Scope;
};

export type FieldName = keyof MeetingValues;
type Fault = { field: FieldName; message: string };

/** The names under which both the contract and the server report a fault. */
export const MEETING_FIELDS: FieldName[] = [
  'title',
  'description',
  'type',
  'startTime',
  'endTime',
  'location',
  'meetingLink',
  'agenda',
  'agendaItems',
  'project',
  'room',
  'participants',
  'recurringFrequency',
  'recurringEndDate',
];

const HOUR_MS = 60 * 60_000;
const PAST = 'Meeting time cannot be in the past';

/** A day and a time of the clock here, as an instant; undefined for anything else. */
export function instantOf(day: Day | '', time: string): string | undefined {
  const [, hours, minutes] = /^(\d{2}):(\d{2})$/.exec(time) ?? [];
  const date = dateOfDay(day);
  if (!date || hours === undefined || minutes === undefined) return undefined;
  date.setHours(Number(hours), Number(minutes));
  return date.toISOString();
}

type When = Pick<MeetingValues, 'date' | 'startTime' | 'endTime'>;
type Instants = { startTime: string | undefined; endTime: string | undefined };

/**
 * The instants that a form means. A night that the clocks go back in has an hour twice: what reads as it did is the instant it came from,
 * and a new end is the first after the start.
 */
function instantsOf({ date, startTime, endTime }: When, from?: { startTime: string; endTime: string }): Instants {
  const isOf = (known: string, time: string) => {
    const at = new Date(known);
    return dayOfDate(at) === date && clock(at) === time;
  };
  const start = from && isOf(from.startTime, startTime) ? from.startTime : instantOf(date, startTime);
  if (from && isOf(from.endTime, endTime)) return { startTime: start, endTime: from.endTime };
  const end = instantOf(date, endTime);
  const isBefore = start !== undefined && end !== undefined && Date.parse(end) <= Date.parse(start);
  const again = isBefore ? new Date(Date.parse(end) + HOUR_MS).toISOString() : undefined;
  return { startTime: start, endTime: again && isOf(again, endTime) ? again : end };
}

/** The specification's sentences about day and time (section 5). */
function timeFaults(
  { date, startTime, endTime }: When,
  { startTime: start, endTime: end }: Instants,
  now: number | null,
): Fault[] {
  const faults: Fault[] = [];
  if (!date) faults.push({ field: 'date', message: 'Date is required' });
  if (!startTime) faults.push({ field: 'startTime', message: 'Start time is required' });
  if (!endTime) faults.push({ field: 'endTime', message: 'End time is required' });
  // Without a day the clock alone can tell.
  const isBackwards = start && end ? Date.parse(end) <= Date.parse(start) : endTime <= startTime;
  if (startTime && endTime && isBackwards) {
    faults.push({ field: 'endTime', message: 'End time must be after start time' });
  }
  if (now !== null && start && Date.parse(start) < now) faults.push({ field: 'startTime', message: PAST });
  return faults;
}

/** Stands in for times that have a fault of their own, so that the contract speaks of everything else. */
const PLACEHOLDER = { startTime: '2000-01-01T09:00:00.000Z', endTime: '2000-01-01T10:00:00.000Z' };

const words = ({ title, description, type, location, meetingLink, agenda, project, participants }: MeetingValues) => ({
  title,
  description,
  type,
  location,
  meetingLink,
  agenda,
  project: project || null,
  participants,
});

const rule = ({ recurringFrequency, recurringEndDate }: MeetingValues) => ({
  recurringFrequency: recurringFrequency || null,
  recurringEndDate: recurringEndDate || null,
});

/** Without rows that nobody filled. */
const items = ({ agendaItems = [] }: Pick<MeetingValues, 'agendaItems'>) =>
  agendaItems
    .filter(({ title }) => title.trim() !== '')
    .map(({ title, minutes, who }) => ({ title: title.trim(), minutes: minutes ?? 0, who: who || null }));

/** Runs the contract on what the form holds; every fault is told at once, beside its field. */
function checked<T extends z.ZodType>(contract: T, body: unknown, faults: Fault[], context: z.RefinementCtx) {
  for (const { field, message } of faults) context.addIssue({ code: 'custom', path: [field], message });
  const result = contract.safeParse(body);
  if (result.success) return result.data;
  // A list shows its faults as a whole.
  for (const { path, message } of result.error.issues)
    context.addIssue({ code: 'custom', path: path[0] === 'agendaItems' ? ['agendaItems'] : [...path], message });
  return z.NEVER;
}

/** `at` is the time that was marked for it, in milliseconds since 1970. */
export function scheduleSchema(at?: { start: number; end: number }) {
  const from = at && { startTime: new Date(at.start).toISOString(), endTime: new Date(at.end).toISOString() };
  return z.custom<MeetingValues>().transform((values, context) => {
    const instants = instantsOf(values, from);
    const faults = timeFaults(values, instants, Date.now());
    const body = {
      ...words(values),
      ...(faults.length === 0 ? instants : PLACEHOLDER),
      timezone: ownZone(),
      ...(items(values).length > 0 && { agendaItems: items(values) }),
      ...(values.room && { room: values.room }),
      isRecurring: values.isRecurring,
      ...(values.isRecurring && rule(values)),
    };
    return checked(createMeetingBody, body, faults, context);
  });
}

/** An edit sends times only when they were touched: a meeting off the grid, or one over midnight, stays as it is. */
export function editSchema(meeting: Meeting) {
  const before = valuesOf(meeting);
  return z.custom<MeetingValues>().transform((values, context) => {
    const isMoved = (['date', 'startTime', 'endTime'] as const).some((field) => values[field] !== before[field]);
    const instants = instantsOf(values, meeting);
    const faults = isMoved ? timeFaults(values, instants, null) : [];
    const repeats = meeting.isRecurring ? values.scope !== 'this' : values.isRecurring;
    if (repeats && !values.recurringFrequency) {
      faults.push({ field: 'recurringFrequency', message: 'Frequency is required for recurring meetings' });
    }
    const body = {
      ...words(values),
      // Not where it stays: a server of before may not have said which one it is.
      ...((values.room ?? before.room) !== before.room && { room: values.room || null }),
      ...(hasOtherItems(values, before) && { agendaItems: items(values) }),
      ...(isMoved && faults.length === 0 && instants),
      ...(repeats && { ...rule(values), isRecurring: true }),
    };
    return { body: checked(updateMeetingBody, body, faults, context), scope: values.scope };
  });
}

/** Sent only where they were touched: a server of before, or a draft of before, has none. */
const hasOtherItems = (values: MeetingValues, before: MeetingValues) =>
  JSON.stringify(items(values)) !== JSON.stringify(items(before));

const clock = (time: Date) => time.toTimeString().slice(0, 5);

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
    agendaItems: (meeting.agendaItems ?? []).map(({ title, minutes, who }) => ({
      title,
      minutes,
      who: who?._id ?? '',
    })),
    project: meeting.project ?? '',
    room: meeting.room?._id ?? '',
    participants: meeting.participants.filter(({ _id }) => _id !== meeting.organizer._id).map(({ _id }) => _id),
    isRecurring: meeting.isRecurring,
    recurringFrequency: meeting.recurringFrequency ?? '',
    recurringEndDate: meeting.recurringEndDate ?? '',
    scope: 'this',
  };
}

const HALF_HOUR_MS = 30 * 60_000;
/** Nobody schedules what begins while they type. */
const NOTICE_MS = 10 * 60_000;

/** On the clock here, which in Nepal is a quarter of an hour off that of UTC. */
export function nextHalfHour(at: Date): Date {
  const past = (at.getMinutes() * 60 + at.getSeconds()) * 1000 + at.getMilliseconds();
  return new Date(at.getTime() - past + Math.ceil(past / HALF_HOUR_MS) * HALF_HOUR_MS);
}

/** The time of a form for what was marked; one that ends on another day has to be told when. */
function marked({ start, end }: { start: number; end: number }): Pick<MeetingValues, 'date' | 'startTime' | 'endTime'> {
  const [from, to] = [new Date(start), new Date(end)];
  const date = dayOfDate(from);
  return { date, startTime: clock(from), endTime: dayOfDate(to) === date ? clock(to) : '' };
}

/** An empty form: for a time that was marked, or on the given day, or today, from the next half hour on. */
export function newValues(day: Day | '', now = Date.now(), at?: { start: number; end: number }): MeetingValues {
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
    recurringEndDate: '',
    scope: 'this',
  };
}
