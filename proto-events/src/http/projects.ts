import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { id, idParams, optionalText, pageOf, pageQuery, requiredText, time, timeOrDay } from '../fields.ts';
import { userSummary } from '../people.ts';

export const priority = z.enum(['urgent', 'high', 'medium', 'low'], {
  error: ({ input }) =>
    input === undefined || input === '' ? 'Please select a priority level' : 'Invalid priority value',
});

export const projectStatus = z.enum(['not-started', 'in-progress', 'completed', 'on-hold', 'cancelled'], {
  error: ({ input }) =>
    input === undefined || input === '' ? 'Please select an initial status' : 'Invalid status value',
});

const budget = z
  .union(
    [
      z.number(),
      z
        .string()
        .trim()
        .regex(/^\d+(\.\d+)?$/)
        .transform(Number),
    ],
    { error: 'Budget must be a valid number' },
  )
  .refine((amount) => amount >= 0 && amount < 1e12 - 1, 'Budget must be a valid number')
  .nullable();

/** A person of a project: what the specification's section 3 lists, and no more, because a list of projects carries hundreds. */
const projectPerson = userSummary.omit({ role: true, status: true });

/** A project as every call answers it. `abilities` is what the caller may do with it now; a screen computes no roles. */
export const project = z.object({
  _id: id,
  name: z.string(),
  description: z.string(),
  priority,
  status: projectStatus,
  projectManager: projectPerson,
  teamMembers: z.array(projectPerson),
  progress: z.int().min(0).max(100),
  budget: z.number().nullable(),
  startDate: time.nullable(),
  deadline: time.nullable(),
  endDate: time.nullable(),
  createdBy: id,
  createdAt: time,
  updatedAt: time,
  version: z.int(),
  abilities: z.object({ update: z.boolean(), updateProgress: z.boolean(), delete: z.boolean() }),
});
export type Project = z.infer<typeof project>;

export const createProjectBody = z.object({
  name: requiredText('Project title is required', 200),
  description: requiredText('Project description is required', 5000),
  projectManager: z
    .string({ error: 'Please select a project manager' })
    .min(1, 'Please select a project manager')
    .regex(/^[0-9a-f]{24}$/, 'Invalid project manager selection'),
  priority,
  status: z.enum(['not-started', 'in-progress', 'on-hold'], { error: 'Please select an initial status' }),
  teamMembers: z.array(id).max(500).default([]),
  startDate: timeOrDay.nullable().optional(),
  deadline: timeOrDay.nullable().optional(),
  budget: budget.optional(),
});

export const updateProjectBody = z.object({
  name: requiredText('Project title is required', 200).optional(),
  description: requiredText('Project description is required', 5000).optional(),
  projectManager: z
    .string()
    .regex(/^[0-9a-f]{24}$/, 'Invalid project manager selection')
    .optional(),
  priority: priority.optional(),
  status: projectStatus.optional(),
  progress: z.int().min(0).max(100).optional(),
  startDate: timeOrDay.nullable().optional(),
  deadline: timeOrDay.nullable().optional(),
  endDate: timeOrDay.nullable().optional(),
  budget: budget.optional(),
  version: z.int().optional().describe('The version this change was made on; a stale one answers 409'),
});

export const createProject = endpoint({
  method: 'POST',
  path: '/projects',
  summary: 'Create a project (administrators)',
  access: 'user',
  body: createProjectBody,
  response: project,
  status: 201,
  errors: ['forbidden'],
});

export const listProjects = endpoint({
  method: 'GET',
  path: '/projects',
  summary: 'Projects, the most recently changed first',
  access: 'user',
  query: pageQuery.extend({
    search: z.string().trim().max(200).optional(),
    status: projectStatus.optional().catch(undefined),
    priority: priority.optional().catch(undefined),
  }),
  response: pageOf(project),
  status: 200,
});

export const getProjectStats = endpoint({
  method: 'GET',
  path: '/projects/stats',
  summary: 'Counts by state; active is in progress or not started',
  access: 'user',
  response: z.object({ active: z.int(), completed: z.int(), overdue: z.int(), total: z.int() }),
  status: 200,
});

export const getProject = endpoint({
  method: 'GET',
  path: '/projects/:id',
  summary: 'One project',
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

export const taskStatus = z.enum(['todo', 'in-progress', 'review', 'done']);

/** A task as every call answers it. */
export const task = z.object({
  _id: id,
  title: z.string(),
  description: z.string(),
  status: taskStatus,
  priority,
  project: id,
  assignedTo: userSummary.nullable(),
  dueDate: time.nullable(),
  progress: z.int().min(0).max(100),
  createdBy: id,
  createdAt: time,
  updatedAt: time,
  version: z.int(),
});

export const createTaskBody = z.object({
  title: requiredText('Task title is required', 200),
  description: optionalText(5000).default(''),
  project: z.string({ error: 'Project is required' }).regex(/^[0-9a-f]{24}$/, 'Project is required'),
  status: taskStatus.default('todo'),
  priority: priority.default('medium'),
  assignedTo: id.nullable().default(null),
  dueDate: timeOrDay.nullable().default(null),
});

export const createTask = endpoint({
  method: 'POST',
  path: '/tasks',
  summary: 'Create a task in a project (its people, administrators and project managers)',
  access: 'user',
  body: createTaskBody,
  response: task,
  status: 201,
  errors: ['forbidden', 'not_found'],
});

export const listProjectTasks = endpoint({
  method: 'GET',
  path: '/tasks/project/:id',
  summary: 'The tasks of a project, newest first',
  access: 'user',
  params: idParams,
  query: pageQuery,
  response: pageOf(task),
  status: 200,
  errors: ['not_found'],
});
