import { z } from 'zod';
import {
  boundedArray,
  id,
  optionalName,
  optionalText,
  requiredName,
  storedText,
  time,
  timeInput,
  timezone,
} from '../../fields.ts';
import { userSummary } from '../../people.ts';
import { DEFAULT_RECURRENCE } from '../../recurrence/rule.ts';
import { frequency, recurrence, recurrenceInput } from '../../recurrence/schemas.ts';
import { notesText } from './notes.ts';

const minutes = z
  .int('Minutes must be a whole number from 1 to 600')
  .min(1, 'Minutes must be a whole number from 1 to 600')
  .max(600, 'Minutes must be a whole number from 1 to 600');

/** Its start follows from the meeting's start and the preceding items. */
export const agendaItem = z.object({
  title: z.string(),
  minutes: z.int(),
  who: userSummary.nullable().describe('The presenter'),
});
export type AgendaItem = z.infer<typeof agendaItem>;

export const agendaItemInput = z.object({
  title: requiredName('An agenda item needs a title', 200),
  minutes,
  who: id.nullable().default(null).describe('The presenter'),
});

export const MAX_AGENDA_ITEMS = 30;

export const agendaInput = boundedArray(
  MAX_AGENDA_ITEMS,
  z.array(agendaItemInput),
  `An agenda can have at most ${MAX_AGENDA_ITEMS} items`,
);

export const meetingType = z.enum(
  ['team-meeting', 'one-on-one', 'project-review', 'standup', 'retrospective', 'other'],
  {
    error: 'Meeting type is required',
  },
);
export const responseStatus = z.enum(['pending', 'accepted', 'declined', 'tentative']);

/** The occurrences that a change applies to; past ones never change. */
export const seriesScope = z.enum(['this', 'following', 'all']).default('this');

/** Limits the normalized form as well, which can be longer than the input. */
const MAX_LINK_LENGTH = 2_000;

/** An `http:` or `https:` URL without credentials, normalized (WHATWG URL). */
export const meetingLink = storedText(MAX_LINK_LENGTH, {
  missing: 'Meeting link is required',
  tooLong: 'Please enter a valid URL',
})
  .trim()
  .min(1, { error: 'Meeting link is required', abort: true })
  .refine(isMeetingUrl, { error: 'Please enter a valid URL', abort: true })
  .transform((text) => new URL(text).href)
  .meta({ examples: ['https://meet.example.org/planning'] });

/**
 * The normalized form is stored, so that all clients parse it the same way. Credentials are rejected, since every
 * participant would see them.
 */
function isMeetingUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, username, password, href } = new URL(text);
  return /^https?:$/.test(protocol) && username === '' && password === '' && href.length <= MAX_LINK_LENGTH;
}

export const meeting = z.object({
  _id: id,
  seriesId: id.nullable(),
  title: z.string(),
  description: z.string(),
  type: meetingType,
  startTime: time,
  endTime: time,
  timezone: z.string(),
  location: z.string(),
  meetingLink: z.string(),
  agenda: z.string(),
  agendaItems: z.array(agendaItem).describe('In order'),
  notes: z.string(),
  summary: z.string(),
  project: id.nullable(),
  room: z.object({ _id: id, name: z.string() }).nullable(),
  organizer: userSummary,
  participants: z
    .array(userSummary.extend({ responseStatus }))
    .describe('All of them; in a list, as many as `people` requests, including the caller if invited'),
  participantCount: z.int(),
  isRecurring: z.boolean(),
  recurringFrequency: frequency.nullable(),
  recurrence: recurrence
    .extend({
      day: z.string().describe('Original day of this meeting by the rule, in the zone of the series, YYYY-MM-DD'),
    })
    .nullable()
    .describe('Recurrence within its frequency; null for a single meeting'),
  recurringEndDate: z.string().nullable().describe('Last day of the series in the meeting’s zone, YYYY-MM-DD'),
  isPast: z.boolean(),
  isClosed: z.boolean().describe('The outcome is recorded; no one can join anymore'),
  moreInSeries: z.int().optional().describe('In a list with each series once: how many more of its meetings there are'),
  createdAt: time,
  updatedAt: time,
  version: z.int(),
  abilities: z.object({ update: z.boolean(), delete: z.boolean(), addNotes: z.boolean(), respond: z.boolean() }),
});
export type Meeting = z.infer<typeof meeting>;

const start = timeInput('Start time is required');
const end = timeInput('End time is required');
const details = {
  description: optionalText(5000),
  location: optionalName(300),
  agenda: optionalText(5000),
  project: id.nullable(),
  timezone,
};
export const summaryText = storedText(3000, { tooLong: 'Summary must be at most 3000 characters' });
/** A date, or a timestamp, which means its date in the meeting's zone. */
const lastDay = z.union([z.iso.date(), timeInput('Invalid date')], { error: 'Invalid date' }).nullable();

/** Maximum elapsed duration of a meeting, in milliseconds. */
export const MAX_MEETING_MS = 86_400_000;
export const MEETING_TOO_LONG = 'A meeting can last at most 24 hours';
const TOO_LONG = { path: ['endTime'], error: MEETING_TOO_LONG };
const isAtMostADay = (start: string, end: string) => Date.parse(end) - Date.parse(start) <= MAX_MEETING_MS;

export const createMeetingBody = z
  .object({
    title: requiredName('Meeting title is required', 200),
    description: details.description.default(''),
    type: meetingType,
    startTime: start,
    endTime: end,
    timezone: timezone.optional().describe('IANA zone; the organizer’s by default'),
    location: details.location.default(''),
    meetingLink,
    participants: boundedArray(
      500,
      z.array(id, { error: 'At least one participant is required' }).min(1, 'At least one participant is required'),
    ),
    agenda: details.agenda.default(''),
    agendaItems: agendaInput.optional(),
    project: details.project.default(null),
    room: id.nullable().optional().describe('Must be available at that time and bookable by the caller'),
    isRecurring: z.boolean().default(false),
    recurringFrequency: frequency.nullable().default(null),
    recurrence: recurrenceInput.default(DEFAULT_RECURRENCE),
    recurringEndDate: lastDay.default(null),
  })
  .refine((body) => Date.parse(body.endTime) > Date.parse(body.startTime), {
    path: ['endTime'],
    error: 'End time must be after start time',
  })
  .refine(({ startTime, endTime }) => isAtMostADay(startTime, endTime), TOO_LONG)
  .refine((body) => !body.isRecurring || body.recurringFrequency !== null, {
    path: ['recurringFrequency'],
    error: 'Frequency is required for recurring meetings',
  });

export const updateMeetingBody = z
  .object({
    title: requiredName('Meeting title is required', 200).optional(),
    description: details.description.optional(),
    type: meetingType.optional(),
    startTime: start.optional(),
    endTime: end.optional(),
    timezone: timezone.optional(),
    location: details.location.optional(),
    meetingLink: meetingLink.optional(),
    participants: boundedArray(500, z.array(id)).optional(),
    agenda: details.agenda.optional(),
    agendaItems: agendaInput.optional(),
    project: details.project.optional(),
    room: id.nullable().optional(),
    notes: notesText.optional(),
    summary: summaryText.optional(),
    isRecurring: z.boolean().optional().describe('True converts a single meeting into a series'),
    recurringFrequency: frequency.nullable().optional(),
    recurrence: recurrenceInput.optional().describe('Replaced as a whole; reset by a change of frequency without it'),
    recurringEndDate: lastDay.optional(),
    version: z.int().optional(),
  })
  .refine((body) => !body.startTime || !body.endTime || Date.parse(body.endTime) > Date.parse(body.startTime), {
    path: ['endTime'],
    error: 'End time must be after start time',
  })
  .refine(({ startTime, endTime }) => !startTime || !endTime || isAtMostADay(startTime, endTime), TOO_LONG);
