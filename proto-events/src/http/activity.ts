import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { id, pageQuery, time, timeOrDateInput, wholeNumber } from '../fields.ts';
import { pageOf } from '../pages.ts';
import { userSummary } from '../people.ts';
import { securityRecord } from '../security-record.ts';
import { dayQuery } from '../statistics.ts';

/** Categories of the log: sign-ins and denials, account and session changes, and administrative changes to users. */
export const ACTIVITY_KINDS = ['security', 'accounts', 'users'] as const;
export type ActivityKind = (typeof ACTIVITY_KINDS)[number];

const { outcome, address, email, sessionId, method, route, status, count, various } = securityRecord.shape;

/** One log entry. Entries are append-only, except that names and addresses of deleted users are cleared. */
export const activityEntry = z.object({
  _id: z.string(),
  at: time,
  action: z.string().describe('The action, such as security.sign-in.failed or users.user.updated'),
  actor: userSummary.nullable().describe('The actor; null for the system or if unknown'),
  target: z
    .object({ type: z.string(), id: z.string(), title: z.string() })
    .describe('The target; for a user, the title is their current name'),
  outcome: outcome.optional(),
  email: email.describe('As entered at sign-in'),
  address: address.optional(),
  device: z.string().nullable().optional().describe('Browser and operating system as text'),
  sessionId,
  method,
  route,
  status,
  count: count.describe('How often the same occurred again within a minute'),
  various: various.describe('Fields omitted because their values differ among the merged denials'),
  changes: z.record(z.string(), z.unknown()).optional().describe('Known details of the change'),
});

export const listActivity = endpoint({
  method: 'GET',
  path: '/activity',
  summary: 'List the security log: sign-ins, denials, and changes to accounts and users, newest first',
  access: 'admin',
  forbiddenMessage: 'Only administrators can read the activity log',
  query: pageQuery.extend({
    user: id.optional().describe('Only actions by or on this user'),
    kind: z.enum(ACTIVITY_KINDS, { error: 'Unknown kind of activity' }).optional(),
    from: timeOrDateInput.optional().describe('Only entries from this time or day on'),
    to: timeOrDateInput.optional().describe('Only entries before this time or day'),
  }),
  response: pageOf(activityEntry),
  status: 200,
});

/** How many days the history of the log has at most. */
export const MAX_ACTIVITY_DAYS = 92;

export const getActivityHistory = endpoint({
  method: 'GET',
  path: '/activity/history',
  summary: 'Count the entries of the security log on each of the last days (administrators)',
  access: 'admin',
  forbiddenMessage: 'Only administrators can read the activity log',
  query: dayQuery.extend({
    days: wholeNumber({
      fallback: 30,
      max: MAX_ACTIVITY_DAYS,
      description: `Number of days, 1 to ${MAX_ACTIVITY_DAYS}`,
    }),
  }),
  response: z.object({
    days: z.array(z.object({ day: z.iso.date(), count: z.int() })).describe('Each day, the current one last'),
  }),
  status: 200,
});
