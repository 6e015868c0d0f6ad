import type { SeededLists } from './seeded-lists.ts';

/** One list in one of its shapes. Pages have as many rows at either size, so that only what they are taken from differs. */
export type ListPath = {
  what: string;
  service: 'users' | 'projects';
  /** `turn` counts the calls: searches look for another name each time. */
  path(lists: SeededLists, turn: number): string;
};

const NAMES = ['müll', 'smith', 'schm', 'arci', 'johns', 'fisch', 'ossi', 'guyen', 'silva', 'webe', 'willi', 'agner'];
const PARTS = ['rs', 'an', 'ei', 'ma', 'll', 'en'];
const FULL = ['anna müller', 'maria smith', 'thomas weber', 'julia silva', 'peter rossi', 'laura garcía', 'jan meyer'];
const SUBJECTS = ['website', 'shop', 'onboard', 'handb', 'newsl', 'campa', 'wareh', 'invoic', 'payr', 'report'];

const inTurn = (words: readonly string[], turn: number) => encodeURIComponent(words[turn % words.length] ?? '');
const middle = (rows: number) => `page=${Math.ceil(rows / 20)}`;

const users = (what: string, query: string | ((lists: SeededLists, turn: number) => string)): ListPath => ({
  what: `/users ${what}`,
  service: 'users',
  path: (lists, turn) => `/users?${typeof query === 'string' ? query : query(lists, turn)}`,
});
const of = (service: ListPath['service'], what: string, path: string | ListPath['path']): ListPath => ({
  what,
  service,
  path: typeof path === 'string' ? () => path : path,
});

const PEOPLE: ListPath[] = [
  users('first page', ''),
  users('a page in the middle', ({ amounts }) => middle(amounts.people)),
  users('the last page', ({ amounts }) => `page=${amounts.people / 10}`),
  users('role=member', 'role=member'),
  users('role=member, a page in the middle', ({ amounts }) => `role=member&${middle(amounts.people * 0.8)}`),
  users('role=project_manager', 'role=project_manager&limit=5'),
  users('role=admin', 'role=admin&limit=5'),
  users('status=active', 'status=active'),
  users('status=inactive', 'status=inactive'),
  users('status=inactive&role=member', 'status=inactive&role=member'),
  users('department', ({ department }) => `department=${department}`),
  users('a small department', ({ smallDepartment }) => `department=${smallDepartment}&limit=5`),
  users('department&role=member', ({ department }) => `department=${department}&role=member`),
  users('department&status=active', ({ department }) => `department=${department}&status=active`),
  users('department&role&status', ({ department }) => `department=${department}&role=member&status=active`),
  users('search a part of a name', (_lists, turn) => `search=${inTurn(NAMES, turn)}&limit=5`),
  users('search two letters', (_lists, turn) => `search=${inTurn(PARTS, turn)}`),
  users('search a full name', (_lists, turn) => `search=${inTurn(FULL, turn)}&limit=1`),
  users('search one e-mail address', (_lists, turn) => `search=${100 + (turn % 30)}%40seed`),
  users('search&status=active', (_lists, turn) => `status=active&search=${inTurn(NAMES, turn)}&limit=5`),
  users(
    'search&department',
    ({ department }, turn) => `department=${department}&search=${inTurn(PARTS, turn)}&limit=5`,
  ),
  of('users', '/users/project-managers', '/users/project-managers?limit=5'),
  of(
    'users',
    '/users/project-managers search',
    (_lists, turn) => `/users/project-managers?search=${inTurn(PARTS, turn)}&limit=5`,
  ),
  of('users', '/users/stats/overview', '/users/stats/overview'),
];

const DEPARTMENTS: ListPath[] = [
  of('users', '/departments first page', '/departments'),
  of('users', '/departments search', '/departments?search=ing'),
  of('users', '/departments/stats', '/departments/stats'),
];

const PROJECTS: ListPath[] = [
  of('projects', '/projects first page', '/projects'),
  of('projects', '/projects a page in the middle', ({ amounts }) => `/projects?${middle(amounts.projects)}`),
  of('projects', '/projects status=in-progress', '/projects?status=in-progress'),
  of('projects', '/projects status=cancelled', '/projects?status=cancelled&limit=3'),
  of('projects', '/projects two statuses', '/projects?status=on-hold,cancelled&limit=5'),
  of('projects', '/projects priority', '/projects?priority=urgent,high'),
  of('projects', '/projects status&priority', '/projects?status=in-progress,completed&priority=medium&limit=5'),
  of('projects', '/projects search', (_lists, turn) => `/projects?search=${inTurn(SUBJECTS, turn)}&limit=1`),
  of(
    'projects',
    '/projects search&status',
    (_lists, turn) => `/projects?search=${inTurn(SUBJECTS, turn)}&status=in-progress&limit=1`,
  ),
  of('projects', '/projects/my-projects', '/projects/my-projects?limit=1'),
  of('projects', '/projects/stats', '/projects/stats'),
];

const TASKS: ListPath[] = [
  of('projects', '/tasks first page', '/tasks'),
  of('projects', '/tasks a page in the middle', ({ amounts }) => `/tasks?${middle(amounts.tasks)}`),
  of('projects', '/tasks sort=priority', '/tasks?sort=priority'),
  of(
    'projects',
    '/tasks sort=priority, in the middle',
    ({ amounts }) => `/tasks?sort=priority&${middle(amounts.tasks)}`,
  ),
  of('projects', '/tasks status=done', '/tasks?status=done'),
  of('projects', '/tasks two statuses', '/tasks?status=todo,review'),
  of('projects', '/tasks priority=urgent', '/tasks?priority=urgent'),
  of('projects', '/tasks status&priority', '/tasks?status=todo&priority=high,urgent'),
  of('projects', '/tasks assignedTo', ({ assignee }) => `/tasks?assignedTo=${assignee}`),
  of('projects', '/tasks assignedTo&status', ({ assignee }) => `/tasks?assignedTo=${assignee}&status=done`),
  of('projects', '/tasks project', ({ project }) => `/tasks?project=${project}`),
  of(
    'projects',
    '/tasks project&assignedTo',
    ({ project, assignee }) => `/tasks?project=${project}&assignedTo=${assignee}&limit=5`,
  ),
  of('projects', '/tasks search', (_lists, turn) => `/tasks?search=${inTurn(SUBJECTS, turn)}`),
  of('projects', '/tasks search&status', (_lists, turn) => `/tasks?search=${inTurn(SUBJECTS, turn)}&status=todo`),
  of('projects', '/tasks/my-tasks', '/tasks/my-tasks?limit=5'),
  of('projects', '/tasks/project/:id', ({ project }) => `/tasks/project/${project}`),
  of(
    'projects',
    '/tasks/project/:id status&priority',
    ({ project }) => `/tasks/project/${project}?status=done&priority=medium`,
  ),
  of('projects', '/tasks/stats', '/tasks/stats'),
  of('projects', '/tasks/stats of a project', ({ project }) => `/tasks/stats?projectId=${project}`),
  of('projects', '/tasks/stats of a person', ({ assignee }) => `/tasks/stats?userId=${assignee}`),
];

/** Every paged list of people, departments, projects and tasks: its first page, a deep one, each filter, its searches, its counts. */
export const LIST_PATHS: readonly ListPath[] = [...PEOPLE, ...DEPARTMENTS, ...PROJECTS, ...TASKS];
