// Browsers import this module, so it has no schemas.

import type { Project } from '../http/projects.ts';
import type { Task } from '../http/tasks.ts';
import { matchesSearch } from '../text/search.ts';
import { USERS_PER_ITEM } from '../users-per-item.ts';
import { ascending, descending, inOrder } from './order.ts';
import {
  byFields,
  computed,
  isRequested,
  isRequestedId,
  item,
  list,
  type ResponseDefinitions,
  type ResponseRequest,
  requestedFields,
} from './response.ts';

const matchesProject = ({ _id, name, description, status, priority, health }: Project, { query }: ResponseRequest) =>
  isRequestedId(query, _id) &&
  isRequested(query, 'status', status) &&
  isRequested(query, 'priority', priority) &&
  isRequested(query, 'health', health?.status ?? 'none') &&
  matchesSearch(`${name} ${description}`, query.get('search') ?? '');

const getProjectFilters = (request: ResponseRequest) =>
  requestedFields(request, {
    search: ['name', 'description'],
    status: ['status'],
    priority: ['priority'],
    health: ['health'],
  });

/** Events carry as many team members as lists have by default. */
const getPartialFields = ({ query }: ResponseRequest) =>
  [null, String(USERS_PER_ITEM)].includes(query.get('people')) ? [] : ['teamMembers'];

const withFirstMembers = (project: Project, { query }: ResponseRequest): Project => {
  const people = query.get('people');
  const count = people === 'all' ? Number.POSITIVE_INFINITY : Number(people ?? USERS_PER_ITEM);
  return { ...project, teamMembers: project.teamMembers.slice(0, count) };
};

const byUpdate = inOrder<Project>(
  descending(({ updatedAt }) => updatedAt),
  descending(({ _id }) => _id),
);

/** Times of the API are compared as text. */
function matchesCompletion({ completedAt }: Task, query: URLSearchParams): boolean {
  const from = query.get('completedFrom');
  const before = query.get('completedBefore');
  if (!from && !before) return true;
  return completedAt !== null && (!from || completedAt >= from) && (!before || completedAt < before);
}

/** Times of the API are compared as text, also with days. */
function matchesDueDate({ dueDate }: Task, query: URLSearchParams): boolean {
  const from = query.get('dueFrom');
  const before = query.get('dueBefore');
  if (query.get('due') && dueDate !== null) return false;
  if (!from && !before) return true;
  return dueDate !== null && (!from || dueDate >= from) && (!before || dueDate < before);
}

const matchesTask = (task: Task, { query }: ResponseRequest) =>
  isRequestedId(query, task._id) &&
  isRequested(query, 'project', task.project) &&
  isRequested(query, 'assignedTo', task.assignedTo?._id ?? 'none') &&
  isRequested(query, 'status', task.status) &&
  isRequested(query, 'priority', task.priority) &&
  matchesCompletion(task, query) &&
  matchesDueDate(task, query) &&
  matchesSearch(`${task.title} ${task.description}`, query.get('search') ?? '');

const PRIORITIES: readonly Task['priority'][] = ['urgent', 'high', 'medium', 'low'];

const byCreation = inOrder<Task>(
  descending(({ createdAt }) => createdAt),
  descending(({ _id }) => _id),
);
/** Urgent first, then by due date. */
export const byPriority = inOrder<Task>(
  ascending(({ priority }) => PRIORITIES.indexOf(priority)),
  ascending(({ dueDate }) => dueDate),
  ascending(({ _id }) => _id),
);
const byDueDate = inOrder<Task>(
  ascending(({ dueDate }) => dueDate),
  ascending(({ priority }) => PRIORITIES.indexOf(priority)),
  ascending(({ _id }) => _id),
);
const getTaskFilters = (request: ResponseRequest) =>
  requestedFields(request, {
    search: ['title', 'description'],
    status: ['status'],
    priority: ['priority'],
    assignedTo: ['assignedTo'],
    completedFrom: ['completedAt'],
    completedBefore: ['completedAt'],
    dueFrom: ['dueDate'],
    dueBefore: ['dueDate'],
    due: ['dueDate'],
  });
const TASK_ORDERS: Readonly<Record<string, typeof byCreation>> = { priority: byPriority, due: byDueDate };
const getTaskOrder = ({ query }: ResponseRequest) =>
  (query.get('sort') ?? '') in TASK_ORDERS ? ['priority', 'dueDate'] : [];
const compareTasks = ({ query }: ResponseRequest) => TASK_ORDERS[query.get('sort') ?? ''] ?? byCreation;

const isDelegated = ({ createdBy, assignedTo }: Task, { viewer }: ResponseRequest) =>
  createdBy._id === viewer.userId && assignedTo !== null && assignedTo._id !== viewer.userId;

export const PROJECT_RESPONSES: ResponseDefinitions = {
  '/projects': list<Project>({
    resource: 'project',
    tags: () => ['projects', 'people'],
    matches: matchesProject,
    compare: () => byUpdate,
    filterFields: getProjectFilters,
    partialFields: getPartialFields,
    toListed: withFirstMembers,
  }),
  '/projects/my-projects': list<Project>({
    resource: 'project',
    tags: () => ['projects', 'own-projects', 'people'],
    matches: (project, request) => project.membership !== null && matchesProject(project, request),
    compare: () => byUpdate,
    filterFields: (request) => ['projectManager', 'teamMembers', ...getProjectFilters(request)],
    partialFields: getPartialFields,
    toListed: withFirstMembers,
  }),
  '/projects/stats': item({ resource: 'project-counts', tags: () => ['project-counts'] }),
  '/projects/:id': item({
    resource: 'project',
    tags: ({ params }) => [`project:${params.id}`, 'people'],
    partialFields: () => ['teamMembers'],
  }),
  '/projects/:id/history': computed(({ params }) => [`tasks-in:${params.id}`], byFields('status')),
  '/tasks': list<Task>({
    resource: 'task',
    tags: ({ query }) => [query.get('project') ? `tasks-in:${query.get('project')}` : 'tasks', 'people'],
    matches: matchesTask,
    compare: compareTasks,
    filterFields: getTaskFilters,
    orderFields: getTaskOrder,
  }),
  '/tasks/my-tasks': list<Task>({
    resource: 'task',
    tags: ({ viewer }) => [`tasks-of:${viewer.userId}`, 'people'],
    matches: (task, request) => task.assignedTo?._id === request.viewer.userId && matchesTask(task, request),
    compare: compareTasks,
    filterFields: (request) => ['assignedTo', ...getTaskFilters(request)],
    orderFields: getTaskOrder,
  }),
  '/tasks/delegated': list<Task>({
    resource: 'task',
    tags: ({ viewer }) => [`tasks-by:${viewer.userId}`, 'people'],
    matches: (task, request) => isDelegated(task, request) && matchesTask(task, request),
    compare: compareTasks,
    filterFields: (request) => ['assignedTo', ...getTaskFilters(request)],
    orderFields: getTaskOrder,
  }),
  '/tasks/project/:id': list<Task>({
    resource: 'task',
    tags: ({ params }) => [`tasks-in:${params.id}`, 'people'],
    matches: (task, request) => task.project === request.params.id && matchesTask(task, request),
    compare: compareTasks,
    filterFields: getTaskFilters,
    orderFields: getTaskOrder,
  }),
  '/tasks/stats': computed(
    ({ query }) => {
      const project = query.get('projectId');
      const user = query.get('userId');
      return [project ? `tasks-in:${project}` : user ? `tasks-of:${user}` : 'tasks'];
    },
    byFields('status', 'dueDate', 'assignedTo'),
  ),
  '/tasks/workload': computed(
    ({ query, viewer }) => {
      const project = query.get('projectId');
      if (project) return [`tasks-in:${project}`, `project:${project}`, 'people'];
      const users = query.get('users')?.split(',') ?? [viewer.userId];
      return [...users.map((id) => `tasks-of:${id}` as const), 'people'];
    },
    byFields('status', 'dueDate', 'assignedTo', 'teamMembers', 'projectManager'),
  ),
  '/tasks/:id': item({
    resource: 'task',
    // What the user can do with it depends on their place in its project.
    tags: ({ params }) => [`task:${params.id}`, 'own-projects', 'people'],
    partialFields: () => ['comments'],
  }),
  '/tasks/:id/comments': computed(({ params }) => [`task:${params.id}`, 'people'], byFields('comments')),
};
