import { findPage } from '@atrium/service-kit/postgres/find-page';
import type { Queryable } from '@atrium/service-kit/postgres/postgres';
import type { TestService } from '@atrium/test-kit/start-test-service';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { countProjects, type ProjectFilter, toProjectListQuery } from '../src/projects/read-projects.ts';
import { countTasks, type TaskFilter, toTaskListQuery } from '../src/tasks/read-tasks.ts';
import { countByWeek } from '../src/tasks/read-workload.ts';
import { startProjects } from './factories.ts';

// Limits the number of database pages that a list reads from a large and skewed database. Unlike time, it is the same
// on every machine.

const TODAY = '2026-11-22';
const CURRENT_DATES = ['2026-11-21', TODAY, '2026-11-23'];
const PROJECTS = 2_000;
const TASKS = 20_000;
/** One project has 5% of all tasks, one status has 1%, and 200 users are assigned all of them. */
const SEED = `
  insert into projects (id, name, description, priority, status, manager_id, due_date, created_by, updated_at)
  select lpad(to_hex(n), 24, '0'), 'Project ' || md5(n::text), 'About ' || md5((n * 7)::text),
         (array['urgent', 'high', 'medium', 'low'])[1 + n % 4],
         (array['not-started', 'in-progress', 'completed', 'on-hold', 'cancelled'])[1 + case when n % 10 < 6 then 1 else n % 5 end],
         lpad(to_hex(900000 + n % 50), 24, '0'), now() + (n % 200 - 15) * interval '1 day', 'x',
         now() - (n * 37 % ${PROJECTS}) * interval '1 hour'
  from generate_series(1, ${PROJECTS}) n;
  insert into project_members
  select lpad(to_hex(n), 24, '0'), lpad(to_hex(900100 + (n * 5 + k) % 1000), 24, '0'), k
  from generate_series(1, ${PROJECTS}) n, generate_series(1, 5) k;
  insert into tasks (id, project_id, title, description, status, priority, assigned_to, due_date, created_by, created_at)
  select lpad(to_hex(2000000 + n), 24, '0'), lpad(to_hex(case when n % 20 = 1 then 1 else 2 + n % ${PROJECTS - 1} end), 24, '0'),
         'Task ' || md5(n::text), 'Do ' || md5((n * 3)::text),
         case when n % 100 < 60 then 'done' when n % 100 < 80 then 'todo' when n % 100 < 99 then 'in-progress' else 'review' end,
         case when n % 97 = 0 then 'urgent' when n % 3 = 0 then 'high' when n % 3 = 1 then 'medium' else 'low' end,
         case when n % 10 = 0 then null else lpad(to_hex(900100 + n * 31 % 200), 24, '0') end,
         case when n % 4 = 0 then null else now() + (n % 365 - 180) * interval '1 day' end, lpad(to_hex(900100 + n % 200), 24, '0'),
         now() - n * interval '10 minute'
  from generate_series(1, ${TASKS}) n`;

const toId = (n: number) => n.toString(16).padStart(24, '0');
const LARGEST_PROJECT = toId(1);
const MEMBER = toId(900131);
const MANAGER = toId(900007);
/** The planner settings of service-kit's connections. Synchronous commits are visible to vacuum immediately. */
const SESSION_OPTIONS = { options: '-c random_page_cost=1.1 -c synchronous_commit=on' };
const MEMBERS = Array.from({ length: 100 }, (_, n) => toId(900100 + n));
const WEEKS = { today: TODAY, first: TODAY, weeks: 6 };
const FIRST_PAGE = { limit: 10, page: 1 };

let service: TestService;
let database: pg.Client;

beforeAll(async () => {
  ({ service } = await startProjects());
  database = new pg.Client({ connectionString: service.env.DATABASE_URL, ...SESSION_OPTIONS });
  await database.connect();
  await database.query(SEED);
  await database.query('vacuum analyze');
});
afterAll(async () => {
  await database.end();
  await service.close();
});

/** Returns the number of database pages (8 kB) that `run` reads. All tasks are about 700 pages. */
async function countPagesRead(run: (db: Queryable) => Promise<unknown>): Promise<number> {
  let pages = 0;
  const explainingDb = {
    async query(statement: string | { text: string; values: unknown[] }, parameters: unknown[] = []) {
      const { text, values } = typeof statement === 'string' ? { text: statement, values: parameters } : statement;
      const explainResult = await database.query<{ 'QUERY PLAN': string }>(
        `explain (analyze, buffers, costs off, timing off) ${text}`,
        values,
      );
      const plan = explainResult.rows.map((row) => row['QUERY PLAN']).join('\n');
      const [, hit, read] = /Buffers: shared(?: hit=(\d+))?(?: read=(\d+))?/.exec(plan) ?? [];
      pages += Number(hit ?? 0) + Number(read ?? 0);
      return database.query(text, values);
    },
  };
  await run(explainingDb as unknown as Queryable);
  return pages;
}

const tasks = (filter: Partial<TaskFilter>) => (db: Queryable) =>
  findPage(db, toTaskListQuery({ sort: 'newest', ...filter }), FIRST_PAGE);
const projects = (filter: ProjectFilter) => (db: Queryable) => findPage(db, toProjectListQuery(filter), FIRST_PAGE);

describe('the first page', () => {
  it.each<[string, (db: Queryable) => Promise<unknown>]>([
    ['of projects', projects({})],
    ['of projects of a status', projects({ status: ['in-progress'] })],
    [
      'of projects of some statuses and priorities',
      projects({ status: ['completed', 'on-hold'], priority: ['urgent'] }),
    ],
    ['of projects of a health', projects({ health: ['at-risk', 'none'] })],
    ['of projects matching a word', projects({ search: 'c4ca4' })],
    ['of the projects of a user', projects({ userId: MEMBER })],
    ['of the projects of a manager', projects({ userId: MANAGER })],
    ['of tasks', tasks({})],
    ['of tasks, the most urgent first', tasks({ sort: 'priority' })],
    ['of tasks of a frequent status', tasks({ status: ['done'] })],
    ['of tasks of a rare status and priority', tasks({ status: ['review'], priority: ['urgent', 'high'] })],
    ['of tasks matching a word', tasks({ search: 'c4ca4' })],
    ['of tasks matching a word that nearly all contain', tasks({ search: 'task' })],
    ['of tasks matching two letters', tasks({ search: 'ta' })],
    ['of the largest project', tasks({ project: LARGEST_PROJECT })],
    ['of the largest project, the most urgent first', tasks({ project: LARGEST_PROJECT, sort: 'priority' })],
    ['of the largest project, of a rare status', tasks({ project: LARGEST_PROJECT, status: ['review'] })],
    ['of the tasks of a user', tasks({ assignedTo: MEMBER })],
    [
      'of the open tasks of a user, the most urgent first',
      tasks({ assignedTo: MEMBER, status: ['todo'], sort: 'priority' }),
    ],
    ['of the open tasks of a user by due date', tasks({ assignedTo: MEMBER, status: ['todo'], sort: 'due' })],
    ['of the tasks that a user delegated', tasks({ delegatedBy: MEMBER })],
    [
      'of the open tasks that a user delegated, by due date',
      tasks({ delegatedBy: MEMBER, status: ['todo'], sort: 'due' }),
    ],
    [
      'of the tasks of a user that are due in a week',
      tasks({ assignedTo: MEMBER, status: ['todo'], dueFrom: TODAY, dueBefore: CURRENT_DATES[2] }),
    ],
    ['of the tasks of nobody in the largest project', tasks({ assignedTo: 'none', project: LARGEST_PROJECT })],
    [
      'of the tasks of a user in the largest project',
      tasks({ assignedTo: MEMBER, project: LARGEST_PROJECT, status: ['todo'] }),
    ],
  ])('%s reads few database pages', async (_name, run) => {
    const pages = await countPagesRead(run);
    expect(pages).toBeLessThan(300);
  });
});

describe('the counts', () => {
  it.each<[string, (db: Queryable) => Promise<unknown>]>([
    ['of projects', (db) => countProjects(db, CURRENT_DATES)],
    ['of the tasks of a project', (db) => countTasks(db, { today: TODAY, projectId: LARGEST_PROJECT })],
    ['of the tasks of a user', (db) => countTasks(db, { today: TODAY, userId: MEMBER })],
    [
      'of the tasks of a user in a project',
      (db) => countTasks(db, { userId: MEMBER, today: TODAY, projectId: LARGEST_PROJECT }),
    ],
    [
      'of the workload of a project',
      (db) => countByWeek(db, { ...WEEKS, projectId: LARGEST_PROJECT, userIds: undefined }),
    ],
    [
      'of the workload of a hundred users',
      (db) => countByWeek(db, { ...WEEKS, projectId: undefined, userIds: MEMBERS }),
    ],
  ])('%s read a bounded number of database pages', async (_name, run) => {
    const pages = await countPagesRead(run);
    // The number is bounded by the overdue tasks, a seventh of the largest project.
    expect(pages).toBeLessThan(1_000);
  });
});
