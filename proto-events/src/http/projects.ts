import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import {
  boundedArray,
  csvEnum,
  id,
  idList,
  idParams,
  pageQuery,
  requiredName,
  requiredText,
  searchText,
  time,
  timeOrDateInput,
  usersPerItem,
} from '../fields.ts';
import { pageOf } from '../pages.ts';
import { userSummary } from '../people.ts';
import { withRefs } from '../people-once.ts';

export const priority = z.enum(['urgent', 'high', 'medium', 'low'], {
  error: ({ input }) =>
    input === undefined || input === '' ? 'Please select a priority level' : 'Invalid priority value',
});

export const projectStatus = z.enum(['not-started', 'in-progress', 'completed', 'on-hold', 'cancelled'], {
  error: ({ input }) =>
    input === undefined || input === '' ? 'Please select an initial status' : 'Invalid status value',
});

/** Limit of the database column. */
const MAX_BUDGET = 1e12 - 1;
const NO_BUDGET = 'Budget must be a valid number';

const budget = z
  .union(
    [
      z.number().min(0, NO_BUDGET).lt(MAX_BUDGET, NO_BUDGET),
      z
        .string()
        .max(20, { abort: true })
        .regex(/^\s*[0-9]+(\.[0-9]+)?\s*$/)
        .transform(Number),
    ],
    { error: NO_BUDGET },
  )
  .refine((amount) => amount < MAX_BUDGET, NO_BUDGET)
  .nullable();

/** The place of a user in a project: its manager, a member of its team, or neither. */
export const membership = z.enum(['manager', 'member']).nullable();

export const healthStatus = z.enum(['on-track', 'at-risk', 'off-track'], {
  error: 'Please select the health of the project',
});
export type HealthStatus = z.infer<typeof healthStatus>;

const health = z.object({
  status: healthStatus,
  note: z.string().describe('The reason'),
  updatedAt: time,
  updatedBy: userSummary,
});

/**
 * A project in every response. `abilities` are what the caller can do with it now; screens derive nothing from roles.
 */
export const project = z.object({
  _id: id,
  name: z.string(),
  description: z.string(),
  priority,
  status: projectStatus,
  projectManager: userSummary,
  teamMembers: z
    .array(userSummary)
    .describe('All of them; in a list with `people`, that many of those who were added first'),
  memberCount: z.int(),
  progress: z.int().min(0).max(100),
  budget: z.number().nullable(),
  health: health.nullable().describe('What its manager reported last; null until then'),
  startDate: time.nullable(),
  deadline: time.nullable(),
  endDate: time.nullable(),
  createdBy: id,
  createdAt: time,
  updatedAt: time,
  version: z.int(),
  membership: membership.describe('The caller’s place in the project'),
  abilities: z.object({
    update: z.boolean(),
    updateProgress: z.boolean(),
    delete: z.boolean(),
    manageMembers: z.boolean().describe('Remove team members'),
    addMembers: z.boolean().describe('Add team members: administrators, and project managers in the project'),
    changeManager: z.boolean().describe('Assign a new project manager: administrators, once the manager has left'),
    createTasks: z.boolean(),
    reportHealth: z.boolean().describe('Its manager and administrators'),
  }),
  denialReasons: z.object({
    update: z.string().optional(),
    updateProgress: z.string().optional(),
    delete: z.string().optional(),
    manageMembers: z.string().optional(),
    addMembers: z.string().optional(),
    changeManager: z.string().optional(),
    createTasks: z.string().optional(),
    reportHealth: z.string().optional(),
  }),
});
export type Project = z.infer<typeof project>;

/** A project as events carry it: as lists show it, without what belongs to one user. */
export const sharedProject = withRefs(project.omit({ membership: true, abilities: true, denialReasons: true }));

const projectCounts = z.object({
  active: z.int(),
  completed: z.int(),
  total: z.int(),
  notStarted: z.int(),
  inProgress: z.int(),
  onHold: z.int(),
  cancelled: z.int(),
});

/** The counts for everyone; overdue projects by the days (YYYY-MM-DD) that are today somewhere. */
export const sharedProjectCounts = projectCounts.extend({ overdueByDay: z.record(z.iso.date(), z.int()) });
export type SharedProjectCounts = z.infer<typeof sharedProjectCounts>;

/** Maximum team size, without the manager: an event carries all members, and a change must reach them. */
export const MAX_TEAM_MEMBERS = 500;
export const TEAM_IS_FULL = `A project can have at most ${MAX_TEAM_MEMBERS} team members`;

export const createProjectBody = z.object({
  name: requiredName('Project title is required', 200),
  description: requiredText('Project description is required', 5000),
  projectManager: z
    .string({ error: 'Please select a project manager' })
    .min(1, 'Please select a project manager')
    .regex(/^[0-9a-f]{24}$/, 'Invalid project manager selection'),
  priority,
  status: z.enum(['not-started', 'in-progress', 'on-hold'], { error: 'Please select an initial status' }),
  teamMembers: boundedArray(MAX_TEAM_MEMBERS, z.array(id), TEAM_IS_FULL).default([]),
  startDate: timeOrDateInput.nullable().optional(),
  deadline: timeOrDateInput.nullable().optional(),
  budget: budget.optional(),
});

export const updateProjectBody = z.object({
  name: requiredName('Project title is required', 200).optional(),
  description: requiredText('Project description is required', 5000).optional(),
  projectManager: z
    .string()
    .regex(/^[0-9a-f]{24}$/, 'Invalid project manager selection')
    .optional(),
  priority: priority.optional(),
  status: projectStatus.optional(),
  progress: z.int().min(0).max(100).optional(),
  startDate: timeOrDateInput.nullable().optional(),
  deadline: timeOrDateInput.nullable().optional(),
  endDate: timeOrDateInput.nullable().optional(),
  budget: budget.optional(),
  version: z.int().optional().describe('The version this change is based on; a stale one responds 409'),
});

const projectFilter = pageQuery.extend({
  ids: idList,
  search: searchText(200, 'Words of the name or the description, or parts of them, in any order'),
  status: csvEnum(projectStatus),
  priority: csvEnum(priority),
  health: csvEnum(z.enum([...healthStatus.options, 'none'])).describe('`none`: nothing was reported yet'),
  people: usersPerItem('How many team members of each project, earliest first'),
});

export const createProject = endpoint({
  method: 'POST',
  path: '/projects',
  summary: 'Create a project (administrators)',
  access: 'admin',
  forbiddenMessage: 'Only administrators can create projects',
  idempotent: true,
  body: createProjectBody,
  response: project,
  status: 201,
  rules: ['Invalid project manager selection', 'Team members must be active users'],
});

export const listProjects = endpoint({
  method: 'GET',
  path: '/projects',
  summary: 'List projects, most recently changed first',
  access: 'user',
  query: projectFilter,
  response: pageOf(project),
  status: 200,
});

export const getProjectStats = endpoint({
  method: 'GET',
  path: '/projects/stats',
  summary: 'Count projects by state; active is in progress or not started',
  access: 'user',
  response: projectCounts.extend({ overdue: z.int() }),
  status: 200,
});

export const listMyProjects = endpoint({
  method: 'GET',
  path: '/projects/my-projects',
  summary: 'List projects that the caller manages or is in, most recently changed first',
  access: 'user',
  query: projectFilter,
  response: pageOf(project),
  status: 200,
});

export const getProject = endpoint({
  method: 'GET',
  path: '/projects/:id',
  summary: 'Get a project',
  access: 'user',
  params: idParams,
  response: project,
  status: 200,
  errors: ['not_found'],
});

export const updateProject = endpoint({
  method: 'PATCH',
  path: '/projects/:id',
  summary: 'Change a project (administrators and project managers)',
  access: 'user',
  params: idParams,
  body: updateProjectBody,
  response: project,
  status: 200,
  errors: ['forbidden', 'not_found', 'conflict', 'stale_version'],
  rules: ['Invalid project manager selection'],
});

export const reportHealthBody = z.object({
  status: healthStatus,
  note: requiredText('Please give a reason', 500),
});

export const reportProjectHealth = endpoint({
  method: 'PUT',
  path: '/projects/:id/health',
  summary: 'Report the health of a project with a reason (its manager and administrators)',
  access: 'user',
  params: idParams,
  body: reportHealthBody,
  response: project,
  status: 200,
  errors: ['forbidden', 'not_found', 'conflict'],
});

export const deleteProject = endpoint({
  method: 'DELETE',
  path: '/projects/:id',
  summary: 'Delete a project (administrators, and its manager)',
  access: 'user',
  params: idParams,
  status: 204,
  errors: ['forbidden', 'not_found'],
});
