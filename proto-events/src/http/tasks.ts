import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import {
  csvEnum,
  id,
  idList,
  idParams,
  optionalText,
  pageQuery,
  requiredName,
  requiredText,
  searchText,
  time,
  timeInput,
  timeOrDateInput,
} from '../fields.ts';
import { pageOf } from '../pages.ts';
import { userSummary } from '../people.ts';
import { withRefs } from '../people-once.ts';
import { membership, priority } from './projects.ts';

export const taskStatus = z.enum(['todo', 'in-progress', 'review', 'done']);
export type TaskStatus = z.infer<typeof taskStatus>;

export const comment = z.object({
  _id: id,
  comment: z.string(),
  author: userSummary,
  createdAt: time,
  abilities: z.object({ delete: z.boolean() }),
});
export type Comment = z.infer<typeof comment>;

const origin = z
  .object({ message: id })
  .nullable()
  .describe('The message that the task was created from; only who can read that message can open it');

export const task = z.object({
  _id: id,
  title: z.string(),
  description: z.string(),
  status: taskStatus,
  priority,
  project: id,
  assignedTo: userSummary.nullable(),
  startDate: time.nullable(),
  dueDate: time.nullable(),
  progress: z.int().min(0).max(100),
  commentCount: z.int(),
  completedAt: time.nullable().describe('Null for open tasks, and for those that were done before it was recorded'),
  comments: z.array(comment).optional().describe('In a single task: the latest 50, oldest first'),
  origin,
  createdBy: userSummary,
  createdAt: time,
  updatedAt: time,
  version: z.int(),
  membership: membership.describe('The caller’s place in the project'),
  abilities: z.object({
    update: z.boolean(),
    updateStatus: z.boolean().describe('Status and progress'),
    comment: z.boolean(),
    delete: z.boolean(),
  }),
  denialReasons: z
    .object({
      update: z.string().optional(),
      updateStatus: z.string().optional(),
      comment: z.string().optional(),
      delete: z.string().optional(),
    })
    .optional(),
});
export type Task = z.infer<typeof task>;

/** A task as events carry it: as lists show it, without what belongs to one user. */
export const sharedTask = withRefs(
  task.omit({ comments: true, membership: true, abilities: true, denialReasons: true }),
);

const progress = z.int('Progress must be a whole number from 0 to 100').min(0).max(100);

const fields = {
  title: requiredName('Task title is required', 200),
  description: optionalText(5000),
  status: taskStatus,
  priority,
  assignedTo: id.nullable(),
  startDate: timeOrDateInput.nullable(),
  dueDate: timeOrDateInput.nullable(),
};

export const createTaskBody = z.object({
  ...fields,
  description: fields.description.default(''),
  project: z.string({ error: 'Project is required' }).regex(/^[0-9a-f]{24}$/, 'Project is required'),
  status: fields.status.default('todo'),
  priority: fields.priority.default('medium'),
  assignedTo: fields.assignedTo.default(null),
  startDate: fields.startDate.default(null),
  dueDate: fields.dueDate.default(null),
  origin: origin.default(null),
});

export const updateTaskBody = z
  .object({
    ...fields,
    progress,
    version: z.int().describe('The version this change is based on; a stale one responds 409'),
  })
  .partial();

const UNASSIGNED = 'none';

const filter = pageQuery.extend({
  ids: idList,
  search: searchText(200, 'Words of the title or the description, or parts of them, in any order'),
  status: csvEnum(taskStatus),
  priority: csvEnum(priority),
});
const ownTaskFilter = filter.extend({
  sort: z
    .enum(['newest', 'priority', 'due'])
    .default('newest')
    .describe('`priority`: urgent first, then by due date; `due`: by due date, without one last, urgent first'),
});
const taskFilter = filter.extend({
  sort: z.enum(['newest', 'priority']).default('newest').describe('`priority`: urgent first, then by due date'),
  assignedTo: id.or(z.literal(UNASSIGNED)).optional().describe(`Tasks of this assignee; \`${UNASSIGNED}\`: of nobody`),
  dueFrom: timeOrDateInput.optional().describe('Tasks that are due on this day or later'),
  dueBefore: timeOrDateInput.optional().describe('Tasks that are due before this day'),
  due: z.enum(['none'], 'Unknown kind of due date').optional().describe('`none`: tasks without a due date'),
  completedFrom: timeInput('Invalid date').optional().describe('Tasks that were completed at this time or later'),
  completedBefore: timeInput('Invalid date').optional().describe('Tasks that were completed before this time'),
});

export const createTask = endpoint({
  method: 'POST',
  path: '/tasks',
  summary: 'Create a task in a project (its people, administrators and project managers)',
  access: 'user',
  idempotent: true,
  body: createTaskBody,
  response: task,
  status: 201,
  errors: ['forbidden', 'not_found'],
  rules: [
    'Tasks can be assigned to project members only',
    'Team members must be active users',
    'Start date must not be after the due date',
  ],
});

export const listTasks = endpoint({
  method: 'GET',
  path: '/tasks',
  summary: 'List tasks, newest first',
  access: 'user',
  query: taskFilter.extend({ project: id.optional() }),
  response: pageOf(task),
  status: 200,
});

export const getTaskStats = endpoint({
  method: 'GET',
  path: '/tasks/stats',
  summary:
    'Count tasks by status, in total or of a project, a person, or both; overdue means past the due date and not done',
  access: 'user',
  query: z.object({ userId: id.optional(), projectId: id.optional() }),
  response: z.object({
    total: z.int(),
    todo: z.int(),
    inProgress: z.int(),
    review: z.int(),
    done: z.int(),
    overdue: z.int(),
  }),
  status: 200,
});

export const listMyTasks = endpoint({
  method: 'GET',
  path: '/tasks/my-tasks',
  summary: 'List tasks assigned to the caller, newest first',
  access: 'user',
  query: ownTaskFilter,
  response: pageOf(task),
  status: 200,
});

export const listDelegatedTasks = endpoint({
  method: 'GET',
  path: '/tasks/delegated',
  summary: 'List tasks that the caller created and that are assigned to others, newest first',
  access: 'user',
  query: ownTaskFilter,
  response: pageOf(task),
  status: 200,
});

export const listProjectTasks = endpoint({
  method: 'GET',
  path: '/tasks/project/:id',
  summary: 'List the tasks of a project, newest first',
  access: 'user',
  params: idParams,
  query: taskFilter,
  response: pageOf(task),
  status: 200,
  errors: ['not_found'],
});

export const getTask = endpoint({
  method: 'GET',
  path: '/tasks/:id',
  summary: 'Get a task with its comments',
  access: 'user',
  params: idParams,
  response: task,
  status: 200,
  errors: ['not_found'],
});

export const updateTask = endpoint({
  method: 'PATCH',
  path: '/tasks/:id',
  summary:
    'Change a task (project people, administrators, project managers; a member: status and progress of their own)',
  access: 'user',
  params: idParams,
  body: updateTaskBody,
  response: task,
  status: 200,
  errors: ['forbidden', 'not_found', 'stale_version'],
  rules: [
    'Tasks can be assigned to project members only',
    'Team members must be active users',
    'Start date must not be after the due date',
  ],
});

export const updateTaskProgress = endpoint({
  method: 'PATCH',
  path: '/tasks/:id/progress',
  summary: 'Change the progress of a task',
  access: 'user',
  params: idParams,
  body: z.object({ progress }),
  response: task,
  status: 200,
  errors: ['forbidden', 'not_found'],
});

export const deleteTask = endpoint({
  method: 'DELETE',
  path: '/tasks/:id',
  summary: 'Delete a task (its creator, the project’s manager, administrators)',
  access: 'user',
  params: idParams,
  status: 204,
  errors: ['forbidden', 'not_found'],
});

export const listComments = endpoint({
  method: 'GET',
  path: '/tasks/:id/comments',
  summary: 'List the comments of a task, newest first',
  access: 'user',
  params: idParams,
  query: pageQuery,
  response: pageOf(comment),
  status: 200,
  errors: ['not_found'],
});

export const addComment = endpoint({
  method: 'POST',
  path: '/tasks/:id/comments',
  summary: 'Comment on a task (project people, administrators, project managers)',
  access: 'user',
  idempotent: true,
  params: idParams,
  body: z.object({ comment: requiredText('Comment is required', 5000) }),
  response: comment,
  status: 201,
  errors: ['forbidden', 'not_found'],
});

export const deleteComment = endpoint({
  method: 'DELETE',
  path: '/tasks/:id/comments/:commentId',
  summary: 'Delete a comment (its author, administrators)',
  access: 'user',
  params: z.object({ id, commentId: id }),
  status: 204,
  errors: ['forbidden', 'not_found'],
});
