import type { SeededLists } from './seeded-lists.ts';

/** One list with one combination of parameters. */
export type ListPath = {
  name: string;
  service: 'users' | 'projects';
  /** A search uses a different word each time. */
  path(lists: SeededLists): string;
  /**
   * Limit in milliseconds at the 95th percentile, if meeting the general one would be disproportionate (decision 11).
   */
  maxMs?: number;
};

/** The query of a board column. */
const BOARD_COLUMN_QUERY = 'status=todo&sort=priority&limit=100';

type Query = string | ((lists: SeededLists) => string);
const resolveQuery = (query: Query, lists: SeededLists) => (typeof query === 'string' ? query : query(lists));

const list =
  (service: ListPath['service'], base: string) =>
  (name: string, query: Query = name): ListPath => ({
    name: name === '' ? base : `${base} ${name}`,
    service,
    path: (lists) => `${base}?${resolveQuery(query, lists)}`,
  });

const searching =
  (kind: keyof SeededLists['nextSearchTerm'], others: Query = ''): Query =>
  (lists) =>
    `${resolveQuery(others, lists)}&search=${encodeURIComponent(lists.nextSearchTerm[kind]())}`;

const users = list('users', '/users');
const managers = list('users', '/users/project-managers');
const departments = list('users', '/departments');
const projects = list('projects', '/projects');
const myProjects = list('projects', '/projects/my-projects');
const tasks = list('projects', '/tasks');
const taskStats = list('projects', '/tasks/stats');
const myTasks = list('projects', '/tasks/my-tasks');
const delegatedTasks = list('projects', '/tasks/delegated');
const OPEN_BY_DUE_DATE = 'status=todo,in-progress,review&sort=due&limit=50';

/** Limit for words in thousands of tasks, and for lists of tens of thousands of rows, which every request counts. */
const MANY_ROWS_MS = 150;
const withManyRows = (path: ListPath): ListPath => ({ ...path, maxMs: MANY_ROWS_MS });

/** Lists the tasks of a project that has more tasks than nearly all others. */
const projectTasks = (name: string, query: Query = name): ListPath => ({
  name: `/tasks/project/:id ${name}`,
  service: 'projects',
  path: (lists) => `/tasks/project/${lists.project}?${resolveQuery(query, lists)}`,
});

const USER_LISTS: ListPath[] = [
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
  users('search', searching('users')),
  users('search&status=active', searching('users', 'status=active')),
  users(
    'search&department',
    searching('users', ({ department }) => `department=${department}`),
  ),
  managers(''),
  managers('search', searching('users')),
  list('users', '/users/stats/overview')(''),
  departments(''),
  departments('search=ing'),
  list('users', '/departments/stats')(''),
];

const PROJECT_LISTS: ListPath[] = [
  projects(''),
  projects('limit=100'),
  projects('status=in-progress'),
  projects('status=on-hold,cancelled'),
  projects('priority=urgent'),
  projects('status=cancelled&priority=urgent'),
  projects('search', searching('projects')),
  projects('search&status', searching('projects', 'status=in-progress')),
  myProjects(''),
  myProjects('search', searching('projects')),
  list('projects', '/projects/stats')(''),
];

const TASK_LISTS: ListPath[] = [
  withManyRows(tasks('')),
  withManyRows(tasks('sort=priority')),
  withManyRows(tasks('status=done')),
  withManyRows(tasks('status=todo,review')),
  tasks('priority=urgent'),
  tasks('status=review&priority=urgent'),
  withManyRows(tasks('status=done&sort=priority')),
  tasks('assignedTo', ({ assignee }) => `assignedTo=${assignee}`),
  tasks('assignedTo&status', ({ assignee }) => `assignedTo=${assignee}&status=todo`),
  tasks('assignedTo&sort=priority', ({ assignee }) => `assignedTo=${assignee}&sort=priority`),
  tasks('project&assignedTo', ({ project, assignee }) => `project=${project}&assignedTo=${assignee}`),
  withManyRows(tasks('search', searching('tasks'))),
  withManyRows(tasks('search&status', searching('tasks', 'status=todo'))),
  withManyRows(tasks('search&sort=priority', searching('tasks', 'sort=priority'))),
  tasks(
    'search&assignedTo',
    searching('tasks', ({ assignee }) => `assignedTo=${assignee}`),
  ),
  myTasks(''),
  myTasks('search', searching('tasks')),
  myTasks('open, by due date', OPEN_BY_DUE_DATE),
  delegatedTasks('open, by due date', OPEN_BY_DUE_DATE),
  projectTasks(''),
  projectTasks('status&priority', 'status=done&priority=medium'),
  projectTasks('a column of the board', BOARD_COLUMN_QUERY),
  projectTasks('a column of one user', ({ assignee }) => `${BOARD_COLUMN_QUERY}&assignedTo=${assignee}`),
  projectTasks('search', searching('tasks')),
  projectTasks('search in a column', searching('tasks', BOARD_COLUMN_QUERY)),
  withManyRows(taskStats('')),
  taskStats('of a project', ({ project }) => `projectId=${project}`),
  taskStats('of a user', ({ assignee }) => `userId=${assignee}`),
  withManyRows(tasks('of the busiest user', ({ busiest }) => `assignedTo=${busiest.user}`)),
  withManyRows(tasks('of the busiest user by priority', ({ busiest }) => `assignedTo=${busiest.user}&sort=priority`)),
  withManyRows(
    tasks(
      'search of the busiest user',
      searching('tasks', ({ busiest }) => `assignedTo=${busiest.user}`),
    ),
  ),
  withManyRows(taskStats('of the busiest user', ({ busiest }) => `userId=${busiest.user}`)),
  withManyRows(tasks('of the largest project', ({ busiest }) => `project=${busiest.project}`)),
  withManyRows(
    tasks('a column of the largest project', ({ busiest }) => `project=${busiest.project}&${BOARD_COLUMN_QUERY}`),
  ),
  withManyRows(
    tasks(
      'search in the largest project',
      searching('tasks', ({ busiest }) => `project=${busiest.project}`),
    ),
  ),
  withManyRows(taskStats('of the largest project', ({ busiest }) => `projectId=${busiest.project}`)),
];

/** Every list of users, departments, projects, and tasks: unfiltered, with each filter, searches, and counts. */
export const LIST_PATHS: readonly ListPath[] = [...USER_LISTS, ...PROJECT_LISTS, ...TASK_LISTS];
