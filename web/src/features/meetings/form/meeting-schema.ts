import { createMeetingBody, type Meeting, updateMeetingBody } from '@atrium/proto-events/http/meetings/meeting-fields';
import { startError } from '@atrium/proto-events/recurrence/rule';
import { hasVisibleText, normalizeName } from '@atrium/proto-events/text/normalize';
import { z } from 'zod';
import type { Day } from '#lib/time/day.ts';
import { browserTimeZone } from '#lib/time/time-zone.ts';
import { type Span, toTimes } from '../layout/span.ts';
import { ruleDay, toRule } from './form-recurrence.ts';
import { type Instants, isSkipped, type TimeValues, toInstants } from './meeting-times.ts';
import { type MeetingValues, valuesOf } from './meeting-values.ts';

type FieldError = { field: keyof MeetingValues; message: string };

const PAST = 'Meeting time cannot be in the past';

const NO_SUCH_TIME = 'This time does not exist on that day';

function validateTimes(
  { date, startTime, endTime }: TimeValues,
  { startTime: start, endTime: end }: Instants,
  now: number | null,
): FieldError[] {
  const errors: FieldError[] = [];
  if (!date) errors.push({ field: 'date', message: 'Date is required' });
  if (!startTime) errors.push({ field: 'startTime', message: 'Start time is required' });
  if (!endTime) errors.push({ field: 'endTime', message: 'End time is required' });
  if (isSkipped(date, startTime)) errors.push({ field: 'startTime', message: NO_SUCH_TIME });
  if (isSkipped(date, endTime)) errors.push({ field: 'endTime', message: NO_SUCH_TIME });
  // Compares the local times if there is no date.
  const isBackwards = start && end ? Date.parse(end) <= Date.parse(start) : endTime <= startTime;
  if (startTime && endTime && isBackwards) {
    errors.push({ field: 'endTime', message: 'End time must be after start time' });
  }
  if (now !== null && start && Date.parse(start) < now) errors.push({ field: 'startTime', message: PAST });
  return errors;
}

/** Valid times that replace invalid ones, so that the contract reports the errors of the other fields. */
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

const ruleFields = (values: MeetingValues, day: Day | '') => ({
  recurringFrequency: values.recurringFrequency || null,
  recurrence: toRecurrence(values, day),
  recurringEndDate: values.recurringEndDate || null,
});

function toRecurrence({ recurringFrequency, recurrence }: MeetingValues, day: Day | '') {
  const rule = day ? toRule(recurringFrequency, recurrence, day) : undefined;
  const { frequency: _frequency, ...fields } = rule ?? { ...recurrence, frequency: undefined };
  return fields;
}

function validateRule({ recurringFrequency, recurrence }: MeetingValues, day: Day | ''): FieldError[] {
  const rule = day ? toRule(recurringFrequency, recurrence, day) : undefined;
  const message = rule && day ? startError(rule, day) : undefined;
  return message === undefined ? [] : [{ field: 'recurrence', message }];
}

const agendaBody = ({ agendaItems = [] }: Pick<MeetingValues, 'agendaItems'>) =>
  agendaItems
    .filter(({ title }) => hasVisibleText(title))
    .map(({ title, minutes, who }) => ({ title: normalizeName(title), minutes: minutes ?? 0, who: who || null }));

/** Fields that show the errors of nested values in one place. */
const COMPOSITE_FIELDS = new Set<PropertyKey>(['agendaItems', 'recurrence']);

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

/** Returns the schema of a new meeting, optionally at a time selected in the calendar. */
export function scheduleSchema(selectedSpan?: Span) {
  const from = selectedSpan && toTimes(selectedSpan);
  return z.custom<MeetingValues>().transform((values, context) => {
    const instants = toInstants(values, from);
    const timeErrors = validateTimes(values, instants, Date.now());
    const day = ruleDay(values.date, instants.startTime);
    const errors = [...timeErrors, ...(values.isRecurring ? validateRule(values, day) : [])];
    const body = {
      ...textFields(values),
      ...(timeErrors.length === 0 ? instants : PLACEHOLDER),
      timezone: browserTimeZone(),
      ...(agendaBody(values).length > 0 && { agendaItems: agendaBody(values) }),
      ...(values.room && { room: values.room }),
      isRecurring: values.isRecurring,
      ...(values.isRecurring && ruleFields(values, day)),
    };
    return validate(createMeetingBody, body, errors, context);
  });
}

/** Sends times only if they changed, so that a meeting off the grid or over midnight keeps them. */
export function editSchema(meeting: Meeting) {
  const initialValues = valuesOf(meeting);
  return z.custom<MeetingValues>().transform((values, context) => {
    const isMoved = (['date', 'startTime', 'endTime'] as const).some((field) => values[field] !== initialValues[field]);
    const instants = toInstants(values, meeting);
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
      ...((values.room ?? initialValues.room) !== initialValues.room && { room: values.room || null }),
      ...(hasChangedItems(values, initialValues) && { agendaItems: agendaBody(values) }),
      ...(isTimed && instants),
      ...(repeats && { ...ruleFields(values, day), isRecurring: true }),
    };
    return { body: validate(updateMeetingBody, body, errors, context), scope: values.scope };
  });
}

const hasChangedItems = (values: MeetingValues, initialValues: MeetingValues) =>
  JSON.stringify(agendaBody(values)) !== JSON.stringify(agendaBody(initialValues));
