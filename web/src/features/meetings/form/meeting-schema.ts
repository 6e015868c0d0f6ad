import { createMeetingBody, type Meeting, updateMeetingBody } from '@atrium/proto-events/http/meeting-fields';
import { startError } from '@atrium/proto-events/recurrence';
import { hasVisibleText, normalizeName } from '@atrium/proto-events/text/normalize';
import { z } from 'zod';
import { type Day, dateOfDay, dayOfDate } from '#lib/day.ts';
import { browserTimeZone } from '#lib/time-zone.ts';
import { timeOfDay } from '#ui/times/time-format.ts';
import { HOUR_MS, MINUTE_MS, type Span } from '../layout/span.ts';
import { ruleDay, ruleOfForm } from './form-recurrence.ts';
import { clock, type MeetingValues, valuesOf } from './meeting-values.ts';

type FieldName = keyof MeetingValues;
type FieldError = { field: FieldName; message: string };

const PAST = 'Meeting time cannot be in the past';

/** A local day and time as an instant; undefined if invalid. */
export function instantOf(day: Day | '', time: string): string | undefined {
  const [, hours, minutes] = /^(\d{2}):(\d{2})$/.exec(time) ?? [];
  const date = dateOfDay(day);
  if (!date || hours === undefined || minutes === undefined) return undefined;
  date.setHours(Number(hours), Number(minutes));
  return date.toISOString();
}

type When = Pick<MeetingValues, 'date' | 'startTime' | 'endTime'>;
type Instants = { startTime: string | undefined; endTime: string | undefined };
/** The times the form was filled from. */
export type Times = { startTime: string; endTime: string };

const NO_SUCH_TIME = 'This time does not exist on that day';

/** Whether the local time is skipped when the clocks go forward: a date then shows another time. */
function isSkipped(day: Day | '', time: string): boolean {
  const at = instantOf(day, time);
  return at !== undefined && clock(new Date(at)) !== time;
}

/**
 * The instants of a form's local times. In a repeated hour (clocks go back), a typed time is the first occurrence, an unchanged time keeps
 * its instant, and a new end is the first one after the start.
 */
export function instantsOf({ date, startTime, endTime }: When, from?: Times): Instants {
  const isOf = (known: string, time: string) => {
    const at = new Date(known);
    return dayOfDate(at) === date && clock(at) === time;
  };
  const start = from && isOf(from.startTime, startTime) ? from.startTime : instantOf(date, startTime);
  if (from && isOf(from.endTime, endTime)) return { startTime: start, endTime: from.endTime };
  const end = instantOf(date, endTime);
  const isBefore = start !== undefined && end !== undefined && Date.parse(end) <= Date.parse(start);
  return { startTime: start, endTime: (isBefore && secondOccurrence(end)) || end };
}

/** Explains which occurrence of a repeated local time the start is. */
export function repeatedTimeText(when: When, from?: Times): string | undefined {
  const first = instantOf(when.date, when.startTime);
  const second = first && secondOccurrence(first);
  if (!second) return undefined;
  const which = instantsOf(when, from).startTime === second ? 'second' : 'first';
  return `The clocks go back: ${timeOfDay(when.startTime)} occurs twice, and this is the ${which} one`;
}

/** The times selected in a calendar. */
export const timesOf = ({ start, end }: Span): Times => ({
  startTime: new Date(start).toISOString(),
  endTime: new Date(end).toISOString(),
});

/** The specification's messages about date and time (section 5). */
function validateTimes(
  { date, startTime, endTime }: When,
  { startTime: start, endTime: end }: Instants,
  now: number | null,
): FieldError[] {
  const errors: FieldError[] = [];
  if (!date) errors.push({ field: 'date', message: 'Date is required' });
  if (!startTime) errors.push({ field: 'startTime', message: 'Start time is required' });
  if (!endTime) errors.push({ field: 'endTime', message: 'End time is required' });
  if (isSkipped(date, startTime)) errors.push({ field: 'startTime', message: NO_SUCH_TIME });
  if (isSkipped(date, endTime)) errors.push({ field: 'endTime', message: NO_SUCH_TIME });
  // Without a date, compare the local times.
  const isBackwards = start && end ? Date.parse(end) <= Date.parse(start) : endTime <= startTime;
  if (startTime && endTime && isBackwards) {
    errors.push({ field: 'endTime', message: 'End time must be after start time' });
  }
  if (now !== null && start && Date.parse(start) < now) errors.push({ field: 'startTime', message: PAST });
  return errors;
}

/** Replaces times with their own errors, so that the contract reports the errors of other fields. */
const PLACEHOLDER = { startTime: '2000-01-01T09:00:00.000Z', endTime: '2000-01-01T10:00:00.000Z' };

const textFields = ({
  title,
  description,
  type,
  location,
  meetingLink,
  agenda,
  project,
  participants,
}: MeetingValues) => ({
  title,
  description,
  type,
  location,
  meetingLink,
  agenda,
  project: project || null,
  participants,
});

const rule = (values: MeetingValues, day: Day | '') => ({
  recurringFrequency: values.recurringFrequency || null,
  recurrence: recurrenceOf(values, day),
  recurringEndDate: values.recurringEndDate || null,
});

function recurrenceOf({ recurringFrequency, recurrence }: MeetingValues, day: Day | '') {
  const { frequency: _frequency, ...known } = (day && ruleOfForm(recurringFrequency, recurrence, day)) || {
    ...recurrence,
    frequency: undefined,
  };
  return known;
}

/** Why the meeting cannot be the first of its rule. */
function validateRule({ recurringFrequency, recurrence }: MeetingValues, day: Day | ''): FieldError[] {
  const meant = day ? ruleOfForm(recurringFrequency, recurrence, day) : undefined;
  const message = meant && day ? startError(meant, day) : undefined;
  return message === undefined ? [] : [{ field: 'recurrence', message }];
}

/** Drops empty rows. */
const items = ({ agendaItems = [] }: Pick<MeetingValues, 'agendaItems'>) =>
  agendaItems
    .filter(({ title }) => hasVisibleText(title))
    .map(({ title, minutes, who }) => ({ title: normalizeName(title), minutes: minutes ?? 0, who: who || null }));

/** Fields that show the errors of nested values in one place. */
const COMPOSITE_FIELDS = new Set<PropertyKey>(['agendaItems', 'recurrence']);

/** Validates the form against the contract; all errors are reported at once, by field. */
function validate<T extends z.ZodType>(
  contract: T,
  body: unknown,
  fieldErrors: FieldError[],
  context: z.RefinementCtx,
) {
  for (const { field, message } of fieldErrors) context.addIssue({ code: 'custom', path: [field], message });
  const result = contract.safeParse(body);
  if (result.success) return result.data;
  for (const { path, message } of result.error.issues)
    context.addIssue({
      code: 'custom',
      path: path[0] === undefined || !COMPOSITE_FIELDS.has(path[0]) ? [...path] : [path[0]],
      message,
    });
  return z.NEVER;
}

/** `at` is the time selected in the calendar, in milliseconds since 1970. */
export function scheduleSchema(at?: Span) {
  const from = at && timesOf(at);
  return z.custom<MeetingValues>().transform((values, context) => {
    const instants = instantsOf(values, from);
    const timeErrors = validateTimes(values, instants, Date.now());
    const day = ruleDay(values.date, instants.startTime);
    const errors = [...timeErrors, ...(values.isRecurring ? validateRule(values, day) : [])];
    const body = {
      ...textFields(values),
      ...(timeErrors.length === 0 ? instants : PLACEHOLDER),
      timezone: browserTimeZone(),
      ...(items(values).length > 0 && { agendaItems: items(values) }),
      ...(values.room && { room: values.room }),
      isRecurring: values.isRecurring,
      ...(values.isRecurring && rule(values, day)),
    };
    return validate(createMeetingBody, body, errors, context);
  });
}

/** Sends times only if they changed, so that a meeting off the grid or over midnight keeps them. */
export function editSchema(meeting: Meeting) {
  const before = valuesOf(meeting);
  return z.custom<MeetingValues>().transform((values, context) => {
    const isMoved = (['date', 'startTime', 'endTime'] as const).some((field) => values[field] !== before[field]);
    const instants = instantsOf(values, meeting);
    const errors = isMoved ? validateTimes(values, instants, null) : [];
    const isTimed = isMoved && errors.length === 0;
    const day = ruleDay(values.date, instants.startTime, meeting);
    const repeats = meeting.isRecurring ? values.scope !== 'this' : values.isRecurring;
    if (repeats && !values.recurringFrequency) {
      errors.push({ field: 'recurringFrequency', message: 'Frequency is required for recurring meetings' });
    }
    if (repeats && (isMoved || !meeting.isRecurring)) errors.push(...validateRule(values, day));
    const body = {
      ...textFields(values),
      // Only if it changed.
      ...((values.room ?? before.room) !== before.room && { room: values.room || null }),
      ...(hasOtherItems(values, before) && { agendaItems: items(values) }),
      ...(isTimed && instants),
      ...(repeats && { ...rule(values, day), isRecurring: true }),
    };
    return { body: validate(updateMeetingBody, body, errors, context), scope: values.scope };
  });
}

/** Agenda items are sent only if they changed. */
const hasOtherItems = (values: MeetingValues, before: MeetingValues) =>
  JSON.stringify(items(values)) !== JSON.stringify(items(before));

/** Minutes from local time to UTC at an instant. */
type Offset = (at: number) => number;

const LOCAL_OFFSET: Offset = (at) => new Date(at).getTimezoneOffset();

/** No zone sets its clocks back further, or twice within that time. */
const MAX_SHIFT_MS = 3 * HOUR_MS;

/** The second instant with the same local time, in a night when clocks go back; otherwise undefined. */
export function secondOccurrence(first: string, offset: Offset = LOCAL_OFFSET): string | undefined {
  const at = Date.parse(first);
  const back = offset(at + MAX_SHIFT_MS) - offset(at);
  const second = at + back * MINUTE_MS;
  return back > 0 && offset(second) === offset(at) + back ? new Date(second).toISOString() : undefined;
}
