import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { id, idList, wholeNumber } from '../fields.ts';
import { userSummary } from '../people.ts';

/** Maximum number of users whose workload can be requested, except those of a project. */
export const MAX_WORKLOAD_USERS = 100;
const DEFAULT_WORKLOAD_WEEKS = 6;

const workload = z.object({
  user: userSummary.nullable().describe('Null for the tasks of a project that are assigned to nobody'),
  overdue: z.int().describe('Due before today'),
  weeks: z.array(z.int()).describe('Due in each week; in the first one, from today on'),
  later: z.int().describe('Due after the last week'),
  undated: z.int().describe('Without a due date'),
});

export const getWorkload = endpoint({
  method: 'GET',
  path: '/tasks/workload',
  summary: 'Count the open tasks of users by the week in which they are due',
  access: 'user',
  query: z.object({
    projectId: id.optional().describe('Only tasks of this project; without `users`, of all who are in it'),
    users: idList.describe(
      `Only tasks of these users: up to ${MAX_WORKLOAD_USERS} ids with commas between them; by default of the caller`,
    ),
    today: z.iso.date('Invalid date').optional().describe('The current day of the caller; by default that in UTC'),
    weekStart: z
      .enum(['sun', 'mon', 'sat'], 'Unknown first day of weeks')
      .default('sun')
      .describe('The first day of weeks'),
    weeks: wholeNumber({ fallback: DEFAULT_WORKLOAD_WEEKS, max: 26, description: 'Number of weeks, 1 to 26' }),
  }),
  response: z.object({
    weeks: z.array(z.iso.date()).describe('The first day of each week'),
    data: z.array(workload).describe('The users in the requested order, or those with the most open tasks first'),
  }),
  status: 200,
  errors: ['not_found'],
});
export type Workload = z.infer<(typeof getWorkload)['response']>;
