import { migrate } from '@atrium/service-kit/postgres/migrate';
import { testDatabase } from '@atrium/test-kit/backing-servers';
import { migrateUpTo } from '@atrium/test-kit/migrate-up-to';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { projectsService } from '../src/app.ts';

/** What a pod of commit 149c909 asks of the tables and triggers that are no more, word for word, with the plans it made before. */
const STATEMENTS = {
  tasks: `select coalesce(sum(n), 0) as total from task_counts where project_id = '' and assigned_to = ''`,
  tasksOfProject: `select coalesce(sum(n), 0) as total from task_counts where project_id = $1 and assigned_to = '' and status = any($2)`,
  tasksOfPerson: `select coalesce(sum(n), 0) as total from task_counts where assigned_to = $1 and project_id = ''`,
  projects: 'select coalesce(sum(n), 0) as total from project_counts where true',
  found: `with listed as materialized (select id, created_at, due_date, array_position(array['urgent', 'high', 'medium', 'low'], priority) as rank from tasks where lower(title || E'\\n' || description) like lower($3)), page as (select * from (select * from listed as page order by page.created_at desc, page.id desc limit $1::integer offset $2::integer) as page limit 10)
           select counted.total, (select sum(generation)::bigint from task_list_state) as generation, array(select page.id from page order by page.created_at desc, page.id desc) as ids
           from (select count(*) as total from listed) as counted`,
  taskState: 'select (select sum(generation)::bigint from task_list_state) as generation',
  projectState: 'select (select sum(generation)::bigint from project_list_state) as generation',
  stats: `select coalesce(sum(n), 0) as total,
                  coalesce(sum(n) filter (where status = 'todo'), 0) as todo,
                  coalesce(sum(n) filter (where status = 'in-progress'), 0) as "inProgress",
                  coalesce(sum(n) filter (where status = 'review'), 0) as review,
                  coalesce(sum(n) filter (where status = 'done'), 0) as done,
                  (select coalesce(sum(n), 0) from task_due_counts where day < $3::date) as overdue
           from task_counts where project_id = $1 and assigned_to = $2`,
};
const WRITES = {
  insert: `insert into tasks (id, project_id, title, description, status, priority, assigned_to, due_date, progress, created_by)
     values ($1, $2, $3, $4, $5, $6, $7, $8, case when $5 = 'done' then 100 else 0 end, $9)`,
  update: 'update tasks set status = $2, updated_at = now(), version = version + 1 where id = $1',
  touch: 'update projects set updated_at = now(), version = version + 1 where id = $1',
  remove: 'delete from tasks where id = $1',
};

let url: string;
const pods: pg.Client[] = [];

beforeAll(async () => {
  url = await testDatabase('projects_before');
  await migrateUpTo(url, projectsService.migrations, '0005');
  for (let pod = 0; pod < 4; pod += 1) {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    await client.query('set plan_cache_mode = force_generic_plan');
    pods.push(client);
  }
  await pods[0]?.query(`insert into projects (id, name, description, priority, status, manager_id, created_by)
    select 'p' || n, 'Project ' || n, '', 'high', 'in-progress', 'm', 'm' from generate_series(1, 3) n`);
  await pods[0]?.query(`insert into tasks (id, project_id, title, description, status, priority, assigned_to, due_date, created_by)
    select 't' || n, 'p' || 1 + n % 3, 'Task ' || n, '', (array['todo', 'in-progress', 'review', 'done'])[1 + n % 4], 'high',
           case when n % 2 = 0 then 'x' end, now() + (n % 20 - 10) * interval '1 day', 'm'
    from generate_series(1, 200) n`);
});
afterAll(() => Promise.all(pods.map((pod) => pod.end())));

type Answer = Record<string, unknown>;
const ask = async (pod: pg.Client, name: keyof typeof STATEMENTS, values: unknown[] = []): Promise<Answer> =>
  (await pod.query<Answer>({ name, text: STATEMENTS[name], values })).rows[0] ?? {};

/** Everything that the pod asks, without the numbers that say whether something has changed. */
async function answersTo(pod: pg.Client) {
  const { generation: _state, ...found } = await ask(pod, 'found', [10, 0, '%task 1%']);
  return {
    found,
    all: await ask(pod, 'tasks'),
    ofProject: await ask(pod, 'tasksOfProject', ['p1', ['todo', 'done']]),
    ofPerson: await ask(pod, 'tasksOfPerson', ['x']),
    projects: await ask(pod, 'projects'),
    stats: await ask(pod, 'stats', ['', '', new Date().toISOString().slice(0, 10)]),
    statsOfProject: await ask(pod, 'stats', ['p2', '', '2020-01-01']),
  };
}

/** As a pod writes: a task that comes, changes and goes, and its project. */
async function work(pod: pg.Client, id: string): Promise<void> {
  await pod.query('begin');
  await pod.query(WRITES.insert, [id, 'p1', 'Passing', '', 'todo', 'low', 'x', null, 'm']);
  await pod.query('commit');
  await pod.query(WRITES.update, [id, 'review']);
  await pod.query(WRITES.touch, ['p1']);
  await pod.query(WRITES.remove, [id]);
}

describe('a pod of the release before', () => {
  it('goes on asking and writing while the schema changes and afterwards, and is told what is', async () => {
    const [asking, ...writing] = pods as [pg.Client, ...pg.Client[]];
    const before = await answersTo(asking);
    let isDone = false;
    const keepOn = async (turn: (count: number) => Promise<unknown>) => {
      for (let count = 0; !isDone; count += 1) await turn(count);
    };
    const working = Promise.all([
      keepOn(() => answersTo(asking)),
      ...writing.map((pod, index) => keepOn((count) => work(pod, `w${index}-${count}`))),
    ]);
    await migrate(url, projectsService.migrations).finally(() => {
      isDone = true;
    });
    await working;
    expect(await answersTo(asking)).toEqual(before);

    await asking.query(WRITES.insert, ['new', 'p2', 'Task 1 more', '', 'done', 'low', 'x', '2019-12-31', 'm']);
    const counted = async (where: string) =>
      (await asking.query(`select count(*) as total from tasks where ${where}`)).rows[0];
    expect(await answersTo(asking)).toMatchObject({
      found: await counted(`title like 'Task 1%'`),
      all: await counted('true'),
      ofProject: await counted(`project_id = 'p1' and status in ('todo', 'done')`),
      ofPerson: await counted(`assigned_to = 'x'`),
      statsOfProject: await counted(`project_id = 'p2'`),
    });
    await asking.query(`update tasks set title = 'Written by a pod of before' where id = 'new'`);
    const stale = await counted(`search is distinct from lower(title || E'\\n' || description)`);
    expect(Number(stale?.total)).toBe(0);
  });

  it.each(['taskState', 'projectState'] as const)(
    'takes no list that it remembers for the present one: %s',
    async (state) => {
      const [pod] = pods as [pg.Client];
      const { generation: before } = await ask(pod, state);
      const { generation: now } = await ask(pod, state);
      expect(Number(now)).toBeGreaterThan(Number(before));
    },
  );
});
