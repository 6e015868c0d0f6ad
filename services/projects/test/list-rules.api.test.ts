import { assertListRules, type ListedItem } from '@atrium/test-kit/assert-list-rules';
import type { TestService } from '@atrium/test-kit/start-test-service';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { createProject, createTask, startProjects, type TestUsers } from './factories.ts';
import {
  type NewProject,
  type NewTask,
  newProject,
  newTask,
  type ProjectQuery,
  pick,
  projectQuery,
  type TaskQuery,
  taskQuery,
  VIEWERS,
  type ViewerName,
} from './random-work.ts';

// Compares the SQL of every list with the rules by which browsers patch it (proto-events/src/responses/projects.ts).

let service: TestService;
let users: TestUsers;

beforeAll(async () => {
  ({ service, users } = await startProjects());
});
afterAll(() => service.close());

const TIME = `timestamptz '2026-11-29T12:00:00Z' + $2 * interval '1 microsecond'`;

type CreatedProject = { id: string; memberNames: readonly ViewerName[] };
type Work = { projectIds: string[]; taskIds: string[] };

/**
 * Includes a project with all viewers, and tasks of each, so that no list is empty for anyone. Two of them are created by
 * each viewer, for different users.
 */
async function createWork(projects: readonly NewProject[], tasks: readonly NewTask[]): Promise<Work> {
  await service.query('delete from projects');
  const sharedProject = { ...pick(projects, 0), teamNames: [...VIEWERS] };
  const createdProjects = await Promise.all([sharedProject, ...projects].map(createRandomProject));
  const ownTasks = [1, 2].flatMap((distance) =>
    VIEWERS.map((_, index) => ({
      ...pick(tasks, 0),
      projectNumber: 0,
      assigneeNumber: index + 1,
      creatorNumber: index + distance,
    })),
  );
  const taskIds = await Promise.all([...ownTasks, ...tasks].map((task) => createRandomTask(createdProjects, task)));
  return { projectIds: createdProjects.map(({ id }) => id), taskIds };
}

async function createRandomProject(project: NewProject): Promise<CreatedProject> {
  const { managerName, teamNames, status, health, microseconds, ...fields } = project;
  const projectManager = users[managerName]._id;
  const teamMembers = teamNames.map((name) => users[name]._id);
  const { _id: id } = await createProject(service, users, { ...fields, projectManager, teamMembers });
  const values = [id, microseconds, status, health, projectManager];
  await service.query(
    `update projects set updated_at = ${TIME}, status = $3, health = $4, health_note = 'Note', health_updated_at = ${TIME},
       health_updated_by = $5 where id = $1`,
    values,
  );
  return { id, memberNames: [...new Set([managerName, ...teamNames])] };
}

async function createRandomTask(projects: readonly CreatedProject[], task: NewTask): Promise<string> {
  const { projectNumber, assigneeNumber, creatorNumber, microseconds, ...fields } = task;
  const { id: project, memberNames } = pick(projects, projectNumber);
  const assigneeName = pick([null, ...memberNames], assigneeNumber);
  const assignedTo = assigneeName && users[assigneeName]._id;
  const { _id } = await createTask(service, users, { ...fields, project, assignedTo });
  const creator = users[pick(VIEWERS, creatorNumber)]._id;
  const values = [_id, microseconds, creator];
  await service.query(
    `update tasks set created_at = ${TIME}, created_by = $3, completed_at = case when status = 'done' then ${TIME} end
     where id = $1`,
    values,
  );
  return _id;
}

function toKey(path: string, parameters: Record<string, string | undefined>): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) if (value !== undefined) query.set(name, value);
  return `${path}?${query}`;
}

const PROJECT_LISTS = ['/projects', '/projects/my-projects'] as const;
const TASK_LISTS = ['/tasks', '/tasks/my-tasks', '/tasks/delegated', '/tasks/project/:id'] as const;

const toProjectKey = (path: string, { projectIds }: Work, { idNumbers, ...filters }: ProjectQuery): string =>
  toKey(path, { ...filters, ids: idNumbers?.map((number) => pick(projectIds, number)).join() });

/** Returns the key of each list of tasks. They accept different parameters. */
function toTaskKeys({ projectIds, taskIds }: Work, query: TaskQuery): Record<(typeof TASK_LISTS)[number], string> {
  const { idNumbers, assigneeName, projectNumber, ownSort, isUnassigned, ...others } = query;
  const { completedFrom, completedBefore, dueFrom, dueBefore, due, ...filters } = others;
  const times = { completedFrom, completedBefore, dueFrom, dueBefore, due };
  const parameters = { ...filters, ids: idNumbers?.map((number) => pick(taskIds, number)).join() };
  const assignedTo = isUnassigned ? 'none' : assigneeName && users[assigneeName]._id;
  const project = projectNumber === undefined ? undefined : pick(projectIds, projectNumber);
  return {
    '/tasks': toKey('/tasks', { ...parameters, ...times, assignedTo, project }),
    '/tasks/my-tasks': toKey('/tasks/my-tasks', { ...parameters, sort: ownSort ?? parameters.sort }),
    '/tasks/delegated': toKey('/tasks/delegated', { ...parameters, sort: ownSort ?? parameters.sort }),
    '/tasks/project/:id': toKey(`/tasks/project/${project ?? projectIds[0]}`, {
      ...parameters,
      ...times,
      assignedTo,
    }),
  };
}

type Queries = { projects: ProjectQuery[]; tasks: TaskQuery[] };

async function assertRules(name: ViewerName, work: Work, queries: Queries): Promise<void> {
  const viewer = { userId: users[name]._id, role: users[name].role };
  const fetchPage = async (key: string) => {
    const { status, body } = await service.call('GET', key, { as: users[name] });
    expect([key, status]).toEqual([key, 200]);
    return body;
  };
  const readAll = async (key: string, ids: readonly string[]) => {
    const { data } = (await fetchPage(key)) as { data: ListedItem[] };
    expect(data.map(({ _id }) => _id).sort()).toEqual([...ids].sort());
    return data;
  };
  const projects = await readAll('/projects?limit=100', work.projectIds);
  for (const path of PROJECT_LISTS) {
    const keys = [{}, ...queries.projects].map((query) => toProjectKey(path, work, query));
    await assertListRules({ viewer, items: projects, keys, fetchPage });
  }
  const tasks = await readAll('/tasks?limit=100', work.taskIds);
  for (const path of TASK_LISTS) {
    const keys = [{}, ...queries.tasks].map((query) => toTaskKeys(work, query)[path]);
    await assertListRules({ viewer, items: tasks, keys, fetchPage });
  }
}

it('every list of projects and tasks has the items and the order of its rules', async () => {
  const work = fc.tuple(
    fc.array(newProject, { minLength: 10, maxLength: 15 }),
    fc.array(newTask, { minLength: 20, maxLength: 40 }),
  );
  const queries = fc.record({
    projects: fc.array(projectQuery, { minLength: 8, maxLength: 8 }),
    tasks: fc.array(taskQuery, { minLength: 8, maxLength: 8 }),
  });
  await fc.assert(
    fc.asyncProperty(work, queries, async ([projects, tasks], query) => {
      const created = await createWork(projects, tasks);
      for (const name of VIEWERS) await assertRules(name, created, query);
    }),
    { numRuns: 4, endOnFailure: true },
  );
});
