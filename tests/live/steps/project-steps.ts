import { buildProject } from '../../workspace/builders.ts';
import type { Client } from '../../workspace/workspace.ts';
import { NotApplicableError, type Task, type Workspace } from '../workspace-state.ts';
import { call, removeFrom, type Steps } from './step.ts';

type Project = { teamMembers: { _id: string }[]; projectManager: { _id: string; status?: string } };

const getProject = ({ users: { admin } }: Workspace, id: string) => call<Project>(admin, 'GET', `/projects/${id}`);

const changeProject = (field: string, values: readonly unknown[]) => async (workspace: Workspace) => {
  const { users, projects, pick } = workspace;
  const id = pick(projects.all);
  return call(users.admin, 'PATCH', `/projects/${id}`, { [field]: pick(values) });
};

const PRIORITIES = ['urgent', 'high', 'medium', 'low'];

export const PROJECT_STEPS: Steps = {
  'create a project': async ({ users: { admin, manager, member, colleague }, projects, pick, createName }) => {
    const fields = { teamMembers: pick([[member.id], [colleague.id], []]), priority: pick(PRIORITIES) };
    const body = buildProject(createName(), pick([manager, admin]), fields);
    projects.all.push((await call(admin, 'POST', '/projects', body))._id);
  },
  'rename a project': ({ users: { manager }, projects: { main, all }, pick, createName }) =>
    call(manager, 'PATCH', `/projects/${pick([main, all[2] ?? main])}`, { name: createName() }),
  'change the status of a project': changeProject('status', ['on-hold', 'in-progress']),
  'complete or cancel a project': ({ users: { admin }, projects, pick }) =>
    call(admin, 'PATCH', `/projects/${pick(projects.all.slice(2))}`, { status: pick(['completed', 'cancelled']) }),
  'change the priority of a project': changeProject('priority', PRIORITIES),
  'change the deadline of a project': changeProject('deadline', ['2020-01-01', '2099-01-01', null]),
  'change the budget of a project': changeProject('budget', [1_000, 2_500, null]),
  'change the progress of a project': async ({ users: { admin }, projects: { main }, pick }) => {
    const { status } = await call<{ status: string }>(admin, 'GET', `/projects/${main}`);
    if (status === 'in-progress') return call(admin, 'PATCH', `/projects/${main}`, { progress: pick([10, 50, 90]) });
    return call(admin, 'PATCH', `/projects/${main}`, { status: 'in-progress' });
  },
  'add a team member': async (workspace) => {
    const { users, projects, pick } = workspace;
    const project = pick([projects.main, projects.other]);
    const { teamMembers, projectManager } = await getProject(workspace, project);
    const present = [...teamMembers, projectManager].map(({ _id }) => _id);
    const candidates = [users.outsider, users.colleague, users.member, users.otto];
    const user = pick(candidates.filter(({ id }) => !present.includes(id)));
    return call(users.admin, 'POST', `/projects/${project}/team-members`, { userId: user.id });
  },
  'remove a team member': async (workspace) => {
    const { users, projects, pick } = workspace;
    const project = pick([projects.main, projects.other]);
    const { teamMembers } = await getProject(workspace, project);
    return call(users.admin, 'DELETE', `/projects/${project}/team-members/${pick(teamMembers)._id}`);
  },
  'deactivate the manager of a project': ({ users: { admin, paula } }) =>
    call(admin, 'PATCH', `/users/${paula.id}`, { status: 'inactive' }),
  'replace the manager of a project': async (workspace) => {
    const { users, projects, pick } = workspace;
    const { projectManager } = await getProject(workspace, projects.other);
    if (projectManager.status === 'active') throw new NotApplicableError('The manager has not left');
    const successor = pick([users.manager, users.admin]);
    return call(users.admin, 'PATCH', `/projects/${projects.other}`, { projectManager: successor.id });
  },
  'delete a project': async ({ users: { admin }, projects, tasks, pick }) => {
    const project = pick(projects.all.slice(2));
    await call(admin, 'DELETE', `/projects/${project}`);
    removeFrom(projects.all, project);
    for (const task of tasks.filter((task) => task.project === project)) removeFrom(tasks, task);
  },
};

const changeTask =
  (field: string, values: readonly unknown[]) =>
  ({ users: { admin }, tasks, pick }: Workspace) =>
    call(admin, 'PATCH', `/tasks/${pick(tasks)._id}`, { [field]: pick(values) });

/** Returns users of the project of the task. */
async function listMembers(workspace: Workspace, project: string): Promise<Client[]> {
  const { teamMembers } = await getProject(workspace, project);
  return Object.values(workspace.users).filter(({ id }) => teamMembers.some(({ _id }) => _id === id));
}

export const TASK_STEPS: Steps = {
  'create a task': async ({ users: { admin }, projects, tasks, pick, createName }) => {
    const project = pick([projects.main, projects.other]);
    const fields = { title: createName(), project, priority: pick(PRIORITIES), status: pick(['todo', 'review']) };
    tasks.push({ _id: (await call(admin, 'POST', '/tasks', fields))._id, project });
  },
  'rename a task': ({ users: { admin }, tasks, pick, createName }) =>
    call(admin, 'PATCH', `/tasks/${pick(tasks)._id}`, { title: createName() }),
  'change the status of a task': changeTask('status', ['todo', 'in-progress', 'review', 'done']),
  'complete a task': changeTask('status', ['done']),
  'change the priority of a task': changeTask('priority', PRIORITIES),
  'change the due date of a task': changeTask('dueDate', ['2020-01-01', '2099-01-01', null]),
  'change the progress of a task': changeTask('progress', [10, 50, 90]),
  'assign a task': async (workspace) => {
    const task = workspace.pick(workspace.tasks);
    const members = await listMembers(workspace, task.project);
    const assignedTo = workspace.pick([...members.map(({ id }) => id), null]);
    return call(workspace.users.admin, 'PATCH', `/tasks/${task._id}`, { assignedTo });
  },
  'delete a task': async ({ users: { admin }, tasks, pick }) => {
    const task = pick(tasks);
    await call(admin, 'DELETE', `/tasks/${task._id}`);
    removeFrom(tasks, task);
  },
  'comment on a task': (workspace) => comment(workspace, workspace.pick(workspace.tasks.slice(0, 2))),
  'delete a comment': async (workspace) => {
    const { users, tasks, pick } = workspace;
    const task = pick(tasks.slice(0, 2));
    await comment(workspace, task);
    const { data } = await call<{ data: { _id: string }[] }>(users.admin, 'GET', `/tasks/${task._id}/comments`);
    return call(users.admin, 'DELETE', `/tasks/${task._id}/comments/${pick(data)._id}`);
  },
};

const comment = ({ users: { admin, manager }, pick, createName }: Workspace, { _id }: Task) =>
  call(pick([admin, manager]), 'POST', `/tasks/${_id}/comments`, { comment: createName() });
