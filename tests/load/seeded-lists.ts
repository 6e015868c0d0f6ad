import { queryDatabase } from '@atrium/test-kit/query-database';
import { waitFor } from '@atrium/test-kit/wait-for';
import { seedPeople } from '@atrium/tools/seed/seed-people';
import { seedProjects } from '@atrium/tools/seed/seed-projects';
import type { World } from './load-environment.ts';
import { createColdWords } from './unseen-search-terms.ts';

export type Amounts = { people: number; projects: number; tasks: number };
type Kind = keyof Amounts;

/** A workspace of some size, for its lists: the two services that have them, and what the paths of its lists need. */
export type SeededLists = {
  amounts: Amounts;
  urls: { users: string; projects: string };
  headers: Record<string, string>;
  /** The largest. */
  department: string;
  smallDepartment: string;
  /** With more tasks than 999 of a thousand. */
  assignee: string;
  project: string;
  /** Those of all that have the most tasks: a seed gives one person a tenth of everything. */
  busiest: { person: string; project: string };
  /** Ids to choose from, of things that may be changed. */
  some: Record<Kind, string[]>;
  /** A word that was not searched for before. */
  word: Record<Kind, () => string>;
  stop(): Promise<void>;
};

/** What searches look into, and what of it may be changed. */
const SAMPLES: Record<Kind, string> = {
  people: `select id, case when ascii(id) % 2 = 0 then email else first_name || ' ' || last_name end as text from users where role = 'member'`,
  projects: `select id, name || ' ' || description as text from projects where status <> 'completed'`,
  tasks: `select id, title || ' ' || left(description, 30) as text from tasks`,
};

/** Starts the services over databases of their own and seeds them as `npm run seed` does. */
export async function startSeededLists(world: World, name: string, amounts: Amounts): Promise<SeededLists> {
  const databases = { users: `users_${name}`, projects: `projects_${name}` };
  const there = await queryDatabase(world.databaseUrl('users'), 'select datname from pg_database');
  for (const database of Object.values(databases).map((made) => `bench_${made}`))
    if (!there.some(({ datname }) => datname === database))
      await queryDatabase(world.databaseUrl('users'), `create database ${database}`);
  const prefix = `bench_lists_${name}`;
  const users = await world.startService('users', databases.users, { prefix });
  const projects = await world.startService('projects', databases.projects, { prefix });
  const url = { users: world.databaseUrl(databases.users), projects: world.databaseUrl(databases.projects) };
  if (!(await isSeeded(url.projects, amounts))) await seed(url, amounts);
  await untilTold(url.users);
  const first = async (database: string, sql: string) => String((await queryDatabase(database, sql))[0]?.id);
  const sample = async (kind: Kind) => {
    const rows = await queryDatabase(
      kind === 'people' ? url.users : url.projects,
      `${SAMPLES[kind]} order by md5(id) limit 2000`,
    );
    return { ids: rows.map(({ id }) => String(id)), word: createColdWords(rows.map(({ text }) => String(text))) };
  };
  // Whoever was seeded first has most, so not the first: the second has more than nearly everybody.
  const [foremost, admin = foremost] = await queryDatabase(
    url.users,
    `select id from users where role = 'admin' and status = 'active' order by id limit 2`,
  );
  if (!admin) throw new Error('there is no administrator among the people');
  const [ofPeople, ofProjects, ofTasks] = await Promise.all([sample('people'), sample('projects'), sample('tasks')]);
  return {
    amounts,
    urls: { users: users.url, projects: projects.url },
    headers: { authorization: `Bearer ${await world.tokenFor({ _id: String(admin.id), role: 'admin' })}` },
    department: await first(url.users, most('users', 'department_id')),
    smallDepartment: await first(url.users, most('users', 'department_id', 6)),
    assignee: await first(url.projects, most('tasks', 'assigned_to', Math.floor(amounts.people / 1_000))),
    project: await first(url.projects, most('tasks', 'project_id', Math.floor(amounts.projects / 1_000))),
    busiest: {
      person: await first(url.projects, most('tasks', 'assigned_to')),
      project: await first(url.projects, most('tasks', 'project_id')),
    },
    some: { people: ofPeople.ids, projects: ofProjects.ids, tasks: ofTasks.ids },
    word: { people: ofPeople.word, projects: ofProjects.word, tasks: ofTasks.word },
    stop: async () => void (await Promise.all([users.stop(), projects.stop()])),
  };
}

/** By an earlier bench, whose writers may have made or removed a task when it ended. */
async function isSeeded(projectsUrl: string, { tasks }: Amounts): Promise<boolean> {
  const [row] = await queryDatabase(projectsUrl, 'select coalesce(sum(n), 0) as n from task_totals');
  return Number(row?.n) > tasks / 2;
}

/** What it makes is let go with it: a million tasks are half a gigabyte of this process. */
async function seed(url: { users: string; projects: string }, amounts: Amounts): Promise<void> {
  const people = await seedPeople(url.users, amounts.people);
  await withoutIndexes(url.projects, 'tasks', () => seedProjects(url.projects, people, amounts));
}

/** Indexes are made much sooner over all rows at once than row by row. */
async function withoutIndexes(url: string, table: string, work: () => Promise<unknown>): Promise<void> {
  const indexes = await queryDatabase(
    url,
    `select indexname, indexdef from pg_indexes where tablename = $1 and indexdef not like '% UNIQUE %'`,
    [table],
  );
  for (const { indexname } of indexes) await queryDatabase(url, `drop index ${indexname}`);
  await work();
  for (const { indexdef } of indexes) await queryDatabase(url, String(indexdef));
  await queryDatabase(url, `vacuum analyze ${table}`);
}

const most = (table: string, column: string, offset = 0) =>
  `select ${column} as id from ${table} where ${column} is not null group by ${column} order by count(*) desc limit 1 offset ${offset}`;

/** Until the directory has been told of everybody. */
export const untilTold = (usersUrl: string) =>
  waitFor(async () => Number((await queryDatabase(usersUrl, 'select count(*) as n from outbox'))[0]?.n) === 0, {
    what: 'the directory to be told',
    timeoutMs: 600_000,
    everyMs: 250,
  });
