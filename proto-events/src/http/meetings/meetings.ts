import { z } from 'zod';
import { endpoint } from '../../endpoint.ts';
import { id, idParams, pageQuery, timeInput, timezone, usersPerItem } from '../../fields.ts';
import { pageOf } from '../../pages.ts';
import { people as listedPeople, withRefs } from '../../people-once.ts';
import { NO_MEETINGS, SELECT_WEEKDAYS, START_ERRORS } from '../../recurrence/rule.ts';
import { createMeetingBody, meeting, responseStatus, seriesScope, updateMeetingBody } from './meeting-fields.ts';

const people = usersPerItem('How many participants of each meeting, the caller included if invited');

const series = z
  .enum(['all', 'once'])
  .default('all')
  .describe('`once`: only the first meeting of each series in the list, with the number of others (`moreInSeries`)');
const seriesFilter = { series, seriesId: id.optional().describe('Only meetings of this series') };

export const listMeetings = endpoint({
  method: 'GET',
  path: '/meetings',
  summary: 'List meetings the caller can see; upcoming ascending, past descending by start',
  access: 'user',
  query: pageQuery.extend({
    timeFilter: z.enum(['upcoming', 'past']).optional(),
    from: timeInput('Invalid date').optional().describe('Only meetings that end after this time'),
    to: timeInput('Invalid date').optional().describe('Only meetings that start before this time'),
    people,
    ...seriesFilter,
  }),
  response: pageOf(meeting),
  status: 200,
});

export const listUpcomingMeetings = endpoint({
  method: 'GET',
  path: '/meetings/upcoming',
  summary: 'List the caller’s next meetings, soonest first',
  access: 'user',
  query: z.object({
    limit: pageQuery.shape.limit,
    people,
    series,
  }),
  response: z.array(meeting),
  status: 200,
});

export const listProjectMeetings = endpoint({
  method: 'GET',
  path: '/meetings/project/:id',
  summary: 'List meetings of a project that the caller can see, in the order of the main list',
  access: 'user',
  params: idParams,
  query: pageQuery.extend({ timeFilter: listMeetings.query.shape.timeFilter, people, ...seriesFilter }),
  response: pageOf(meeting),
  status: 200,
});

const DAY_MS = 86_400_000;
const MAX_RANGE_DAYS = 62;
/** Maximum range of a calendar, in milliseconds. */
export const MAX_RANGE_MS = MAX_RANGE_DAYS * DAY_MS;
export const MAX_MEETINGS_PER_RANGE = 2_000;

/** A meeting without text fields and participants, which the detail view requests. */
export const calendarMeeting = meeting
  .pick({
    _id: true,
    seriesId: true,
    title: true,
    type: true,
    startTime: true,
    endTime: true,
    timezone: true,
    location: true,
    meetingLink: true,
    project: true,
    room: true,
    organizer: true,
    isRecurring: true,
    isPast: true,
    version: true,
    abilities: true,
  })
  .extend({
    participantCount: z.int(),
    response: responseStatus.nullable().describe('The caller’s response; null if not invited'),
  });
export type CalendarMeeting = z.infer<typeof calendarMeeting>;

export const listCalendarMeetings = endpoint({
  method: 'GET',
  path: '/meetings/calendar',
  summary: `List all meetings in a time range, soonest first and at most ${MAX_MEETINGS_PER_RANGE}, for a calendar view`,
  access: 'user',
  query: z
    .object({
      from: timeInput('Invalid date').optional().describe('Only meetings that end after this time; now by default'),
      to: timeInput('Invalid date')
        .optional()
        .describe(`Only meetings that start before this time; ${MAX_RANGE_DAYS} days after \`from\` by default`),
      whose: z
        .enum(['mine', 'all'])
        .default('mine')
        .describe('Meetings the caller is invited to, or all that they can see, which differs only for administrators'),
      project: id.optional().describe('Only meetings of this project'),
    })
    .refine(({ from, to }) => !from || !to || to > from, { path: ['to'], error: 'End time must be after start time' })
    .refine(({ from, to }) => !from || !to || Date.parse(to) - Date.parse(from) <= MAX_RANGE_MS, {
      path: ['to'],
      error: `A calendar shows at most ${MAX_RANGE_DAYS} days`,
    }),
  response: z.object({
    data: z.array(withRefs(calendarMeeting)),
    people: listedPeople,
    more: z.boolean().describe(`Whether there are more than ${MAX_MEETINGS_PER_RANGE}; these are the first`),
  }),
  status: 200,
});

/** How far ahead missing responses are listed, in days. */
const AWAITED_DAYS = 31;
export const AWAITED_MS = AWAITED_DAYS * DAY_MS;

export const unansweredMeeting = calendarMeeting.extend({
  pendingCount: z.int().describe('Participants other than the organizer who have not responded'),
});
export type UnansweredMeeting = z.infer<typeof unansweredMeeting>;

export const listUnansweredMeetings = endpoint({
  method: 'GET',
  path: '/meetings/unanswered',
  summary: `List meetings of the next ${AWAITED_DAYS} days that the caller organizes and that participants have not responded to, soonest first; of a series, the next one`,
  access: 'user',
  query: pageQuery,
  response: pageOf(unansweredMeeting),
  status: 200,
});

export const getMeetingStats = endpoint({
  method: 'GET',
  path: '/meetings/stats',
  summary:
    'Count the meetings the caller can see; `today` is in the requested time zone, or else in that of the caller’s profile',
  access: 'user',
  query: z.object({
    timezone: timezone
      .optional()
      .catch(undefined)
      .describe('IANA zone, such as the browser’s; an unknown one is ignored'),
    project: id.optional().describe('Only meetings of this project'),
  }),
  response: z.object({ upcoming: z.int(), completed: z.int(), total: z.int(), today: z.int() }),
  status: 200,
});

export const createMeeting = endpoint({
  method: 'POST',
  path: '/meetings',
  summary: 'Schedule a meeting (administrators and project managers); for a series, returns the first occurrence',
  access: 'user',
  idempotent: true,
  body: createMeetingBody,
  maxBodyBytes: 131_072,
  response: meeting,
  status: 201,
  errors: ['forbidden', 'conflict'],
  rules: [
    'Meeting time cannot be in the past',
    'The end date must not be before the meeting',
    ...START_ERRORS,
    'Project not found',
    'Room not found',
    'Participants must be active users',
    'Agenda items can be assigned to active users only',
  ],
});

export const getMeeting = endpoint({
  method: 'GET',
  path: '/meetings/:id',
  summary: 'Get a meeting',
  access: 'user',
  params: idParams,
  query: z.object({
    orNext: z
      .enum(['true'])
      .optional()
      .describe(
        'For a canceled occurrence of a series, returns the next remaining one that the caller can see, with its own `_id`',
      ),
  }),
  response: meeting,
  status: 200,
  errors: ['not_found'],
});

export const updateMeeting = endpoint({
  method: 'PATCH',
  path: '/meetings/:id',
  summary: 'Change a meeting; a past one accepts only notes and summary',
  access: 'user',
  params: idParams,
  query: z.object({ scope: seriesScope }),
  body: updateMeetingBody,
  maxBodyBytes: 131_072,
  response: meeting,
  status: 200,
  errors: ['forbidden', 'not_found', 'conflict', 'stale_version'],
  rules: [
    'Meeting time cannot be in the past',
    'The end date must not be before the meeting',
    ...START_ERRORS,
    SELECT_WEEKDAYS,
    NO_MEETINGS,
    'Project not found',
    'Room not found',
    'Participants must be active users',
    'Agenda items can be assigned to active users only',
    'Frequency is required for recurring meetings',
    'To end a series, set its end date or delete the meetings that follow',
    'How a series repeats can only be changed for this and following meetings, or for all meetings',
  ],
});

export const deleteMeeting = endpoint({
  method: 'DELETE',
  path: '/meetings/:id',
  summary: 'Cancel a meeting that is not past',
  access: 'user',
  params: idParams,
  query: z.object({ scope: seriesScope }),
  status: 204,
  errors: ['forbidden', 'not_found', 'conflict'],
});

export const respondToMeeting = endpoint({
  method: 'POST',
  path: '/meetings/:id/respond',
  summary: 'Respond to an invitation',
  access: 'user',
  params: idParams,
  query: z.object({ scope: seriesScope }),
  body: z.object({
    status: z.enum(['accepted', 'declined', 'tentative'], { error: 'Invalid response' }),
    startTime: createMeetingBody.shape.startTime
      .optional()
      .describe('The time being responded to; an outdated one responds 409 stale_version'),
  }),
  response: meeting,
  status: 200,
  errors: ['forbidden', 'not_found', 'conflict', 'stale_version'],
});
