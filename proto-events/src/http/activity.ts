import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { securityRecord } from '../events/audit.ts';
import { id, pageOf, pageQuery, time, timeOrDateInput } from '../fields.ts';
import { userSummary } from '../people.ts';

/** Parts of the log: sign-ins and denials, what happened to accounts and sessions, and what administrators changed of users. */
export const ACTIVITY_KINDS = ['security', 'accounts', 'users'] as const;
export type ActivityKind = (typeof ACTIVITY_KINDS)[number];

const { outcome, address, email, sessionId, method, route, status, count, various } = securityRecord.shape;

/** One entry of the log. Entries are appended and never changed, but that names and addresses of deleted users are cleared. */
export const activityEntry = z.object({
  _id: z.string(),
  at: time,
  action: z.string().describe('What happened, such as security.sign-in.failed or users.user.updated'),
  actor: userSummary.nullable().describe('Who did it; null for the system, or where nobody is known'),
  target: z
    .object({ type: z.string(), id: z.string(), title: z.string() })
    .describe('What it was done to; of a user the title is their present name'),
  outcome: outcome.optional(),
  email: email.describe('As it was given to sign in'),
  address: address.optional(),
  device: z.string().nullable().optional().describe('Browser and system in words'),
  sessionId,
  method,
  route,
  status,
  count: count.describe('How often the same happened again within a minute'),
  various: various.describe('Fields that have several values among the counted denials, none of which is named'),
  changes: z.record(z.string(), z.unknown()).optional().describe('What is known of what was changed'),
});

export const listActivity = endpoint({
  method: 'GET',
  path: '/activity',
  summary: 'The security log: sign-ins, denials, and what was done to accounts and users, newest first',
  access: 'admin',
  forbiddenMessage: 'Only administrators can read the activity log',
  query: pageQuery.extend({
    user: id.optional().describe('Only what this user did, or what was done to them'),
    kind: z.enum(ACTIVITY_KINDS, { error: 'Unknown kind of activity' }).optional(),
    from: timeOrDateInput.optional().describe('Nothing before this time or day'),
    to: timeOrDateInput.optional().describe('Nothing from this time or day on'),
  }),
  response: pageOf(activityEntry),
  status: 200,
});
