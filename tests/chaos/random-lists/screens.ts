import { listRequests } from '../../live/requests.ts';
import { WATCHERS, type Watcher, type Workspace } from '../../live/workspace-state.ts';
import type { Screens } from './actions.ts';

const STATUSES = ['todo', 'in-progress', 'review', 'done'];

/** Team Chat has a test of its own, and searches for times depend on the time. */
const isList = (key: string) => !key.startsWith('/chat') && !key.includes('?{');
const isWatcher = (name: string): name is Watcher => WATCHERS.some((watcher) => watcher === name);

/** The screens of a user: all of their responses, or the dashboard, the tracker, and boards. */
export function listScreens(workspace: Workspace, name: string): Screens {
  const { users, projects } = workspace;
  const own = isWatcher(name) ? listRequests(workspace, name).filter(isList) : DASHBOARD;
  const filters = [`assignedTo=${users.member.id}&`, 'priority=urgent,high&', 'search=a&', ''];
  return {
    keys: [...new Set([...own, ...DASHBOARD, `/projects/${projects.main}`])],
    lists: [
      ...projects.all.flatMap((id) =>
        STATUSES.map((status) => `/tasks/project/${id}?status=${status}&sort=priority&limit=3`),
      ),
      ...filters.map((filter) => `/tasks/project/${projects.main}?${filter}status=todo&limit=100`),
      '/projects?limit=2&people=6',
      '/projects?status=in-progress,on-hold&limit=100&people=6',
      '/departments?limit=100',
    ],
  };
}

const DASHBOARD = [
  '/projects?limit=6&people=6',
  '/projects/stats',
  '/projects/my-projects?limit=6&people=6',
  '/users/stats/overview',
  '/users?search=&status=active&limit=100',
  '/users?limit=3&page=1&sortBy=role&sortOrder=desc',
  '/tasks/my-tasks?limit=10&sort=priority',
  '/tasks/my-tasks?status=todo,in-progress,review&sort=due&limit=100',
  '/tasks/delegated?status=todo,in-progress,review&sort=due&limit=20',
  '/meetings/upcoming?limit=5&people=6&series=once',
  '/documents/recent?limit=5&link=false',
];
