import type { SeededLists } from './seeded-lists.ts';

/** One list with one combination of parameters. */
export type ListPath = {
  what: string;
  service: 'users' | 'projects';
  /** A search uses another word each time. */
  path(lists: SeededLists): string;
  /** Milliseconds at the 95th percentile, where the general limit would need disproportionate machinery (decision 11). */
  maxMs?: number;
};

/** The query of a board column. */
const BOARD_COLUMN_QUERY = 'status=todo&sort=priority&limit=100';

type Query = string | ((lists: SeededLists) => string);
const queryOf = (query: Query, lists: SeededLists) => (typeof query === 'string' ? query : query(lists));

const list =
  (service: ListPath['service'], base: string) =>
  (what: string, query: Query = what): ListPath => ({
    what: what === '' ? base : `${base} ${what}`,
    service,
    path: (lists) => `${base}?${queryOf(query, lists)}`,
  });

const searching =
  (kind: keyof SeededLists['nextSearchTerm'], others: Query = ''): Query =>
  (lists) =>
    `${queryOf(others, lists)}&search=${encodeURIComponent(lists.nextSearchTerm[kind]())}`;

const users = list('users', '/users');
const managers = list('users', '/users/project-managers');
const departments = list('users', '/departments');
const projects = list('projects', '/projects');
const mine = list('projects', '/projects/my-projects');
const tasks = list('projects', '/tasks');
const taskStats = list('projects', '/tasks/stats');
const myTasks = list('projects', '/tasks/my-tasks');

/** For words in thousands of tasks, and lists of tens of thousands of rows, which are counted on every request. */
const MANY_ROWS_MS = 150;
const amongMany = (path: ListPath): ListPath => ({ ...path, maxMs: MANY_ROWS_MS });

/** For a project with more tasks than nearly all others. */
const ofProject = (what: string, query: Query = what): ListPath => ({
  what: `/tasks/project/:id ${what}`,
  service: 'projects',
  path: (lists) => `/tasks/project/${lists.project}?${queryOf(query, lists)}`,
});

const PEOPLE: ListPath[] = [
  users(''),
  users('limit=100'),
  users('role=member'),
  users('role=project_manager'),
  users('role=admin'),
  users('status=inactive'),
  users('status=inactive&role=admin'),
  users('department', ({ department }) => `department=${department}`),
  users('a small department', ({ smallDepartment }) => `department=${smallDepartment}`),
  users('department&role=admin', ({ department }) => `department=${department}&role=admin`),
  users('department&status=inactive', ({ department }) => `department=${department}&status=inactive`),
  users('department&role&status', ({ department }) => `department=${department}&role=admin&status=inactive`),
  users('search', searching('people')),
  users('search&status=active', searching('people', 'status=active')),
  users(
    'search&department',
    searching('people', ({ department }) => `department=${department}`),
  ),
  managers(''),
  managers('search', searching('people')),
  list('users', '/users/stats/overview')(''),
  departments(''),
  departments('search=ing'),
  list('users', '/departments/stats')(''),
];

const PROJECTS: ListPath[] = [
  projects(''),
  projects('limit=100'),
  projects('status=in-progress'),
  projects('status=on-hold,cancelled'),
  projects('priority=urgent'),
  projects('status=cancelled&priority=urgent'),
  projects('search', searching('projects')),
  projects('search&status', searching('projects', 'status=in-progress')),
  mine(''),
  mine('search', searching('projects')),
  list('projects', '/projects/stats')(''),
];

const TASKS: ListPath[] = [
  amongMany(tasks('')),
  amongMany(tasks('sort=priority')),
  amongMany(tasks('status=done')),
  amongMany(tasks('status=todo,review')),
  tasks('priority=urgent'),
  tasks('status=review&priority=urgent'),
  amongMany(tasks('status=done&sort=priority')),
  tasks('assignedTo', ({ assignee }) => `assignedTo=${assignee}`),
  tasks('assignedTo&status', ({ assignee }) => `assignedTo=${assignee}&status=todo`),
  tasks('assignedTo&sort=priority', ({ assignee }) => `assignedTo=${assignee}&sort=priority`),
  tasks('project&assignedTo', ({ project, assignee }) => `project=${project}&assignedTo=${assignee}`),
  amongMany(tasks('search', searching('tasks'))),
  amongMany(tasks('search&status', searching('tasks', 'status=todo'))),
  amongMany(tasks('search&sort=priority', searching('tasks', 'sort=priority'))),
  tasks(
    'search&assignedTo',
    searching('tasks', ({ assignee }) => `assignedTo=${assignee}`),
  ),
  myTasks(''),
  myTasks('search', searching('tasks')),
  ofProject(''),
  ofProject('status&priority', 'status=done&priority=medium'),
  ofProject('a column of the board', BOARD_COLUMN_QUERY),
  ofProject('a column of one user', ({ assignee }) => `${BOARD_COLUMN_QUERY}&assignedTo=${assignee}`),
  ofProject('search', searching('tasks')),
  ofProject('search in a column', searching('tasks', BOARD_COLUMN_QUERY)),
  amongMany(taskStats('')),
  taskStats('of a project', ({ project }) => `projectId=${project}`),
  taskStats('of a user', ({ assignee }) => `userId=${assignee}`),
  amongMany(tasks('of the busiest user', ({ busiest }) => `assignedTo=${busiest.person}`)),
  amongMany(tasks('of the busiest user by priority', ({ busiest }) => `assignedTo=${busiest.person}&sort=priority`)),
  amongMany(
    tasks(
      'search of the busiest user',
      searching('tasks', ({ busiest }) => `assignedTo=${busiest.person}`),
    ),
  ),
  amongMany(taskStats('of the busiest user', ({ busiest }) => `userId=${busiest.person}`)),
  amongMany(tasks('of the largest project', ({ busiest }) => `project=${busiest.project}`)),
  amongMany(
    tasks('a column of the largest project', ({ busiest }) => `project=${busiest.project}&${BOARD_COLUMN_QUERY}`),
  ),
  amongMany(
    tasks(
      'search in the largest project',
      searching('tasks', ({ busiest }) => `project=${busiest.project}`),
    ),
  ),
  amongMany(taskStats('of the largest project', ({ busiest }) => `projectId=${busiest.project}`)),
];

/** Every list of users, departments, projects, and tasks: unfiltered, with each filter, searches, and counts. */
export const LIST_PATHS: readonly ListPath[] = [...PEOPLE, ...PROJECTS, ...TASKS];
