import { createStreams } from '@atrium/test-kit/backing-servers';
import { queryDatabase } from '@atrium/test-kit/query-database';
import { waitFor } from '@atrium/test-kit/wait-for';
import { seedPeople } from '@atrium/tools/seed/seed-people';
import { seedProjects } from '@atrium/tools/seed/seed-projects';
import { createSeededRandom, type SeededRandom } from '@atrium/tools/seed/seeded-random';
import type { LoadEnvironment } from './load-environment.ts';

const LETTERS = 'abcdefghijklmnopqrstuvwxyz';
const MAX_TRIES = 10_000;

/**
 * Returns a generator of search terms that it has not returned before: prefixes and parts of words, phrases, and
 * occasionally strings without matches. Each has three letters or digits in a row.
 */
function createSearchTerms(texts: readonly string[]): () => string {
  const random = createSeededRandom(texts.length);
  const used = new Set<string>();
  return () => {
    for (let tries = 0; tries < MAX_TRIES; tries += 1) {
      const word = random.nextBoolean(0.1) ? randomLetters(random) : pickPart(random.pick(texts), random);
      if (used.has(word) || !/[\p{L}\p{N}]{3}/u.test(word)) continue;
      used.add(word);
      return word;
    }
    throw new Error('No unused search terms left');
  };
}

const randomLetters = (random: SeededRandom) =>
  Array.from({ length: 3 + random.integerBelow(6) }, () => random.pick([...LETTERS])).join('');

function pickPart(text: string, random: SeededRandom): string {
  const words = text.toLowerCase().split(/\s+/);
  const firstId = random.integerBelow(words.length);
  const phrase = words.slice(firstId, firstId + random.pick([1, 1, 1, 2, 3])).join(' ');
  const start = random.nextBoolean(0.2) ? random.integerBelow(3) : 0;
  return phrase.slice(start, start + 3 + random.integerBelow(15)).trim();
}

export type Amounts = { users: number; projects: number; tasks: number };
type Kind = keyof Amounts;

/** A seeded workspace for list benches: the two services with lists, and ids for their paths. */
export type SeededLists = {
  amounts: Amounts;
  urls: { users: string; projects: string };
  headers: Record<string, string>;
  /** Id of the administrator in the headers. */
  caller: string;
  /** The largest department. */
  department: string;
  smallDepartment: string;
  /** A user with more tasks than 99.9 % of users. */
  assignee: string;
  project: string;
  /** The user and the project with the most tasks. The seed gives one user a tenth of everything. */
  busiest: { user: string; project: string };
  /** Ids of items that can be changed. */
  changeableIds: Record<Kind, string[]>;
  /** Returns a term that has not been searched for before. */
  nextSearchTerm: Record<Kind, () => string>;
  stop(): Promise<void>;
};

/** Queries for the searched text of each kind of item that can be changed. */
const SAMPLES: Record<Kind, string> = {
  users: `select id, case when ascii(id) % 2 = 0 then email else first_name || ' ' || last_name end as text from users where role = 'member'`,
  projects: `select id, name || ' ' || description as text from projects where status <> 'completed'`,
  tasks: `select id, title || ' ' || left(description, 30) as text from tasks`,
};

/** Starts the services with their own databases and seeds them like `npm run seed`. */
export async function startSeededLists(
  environment: LoadEnvironment,
  name: string,
  amounts: Amounts,
): Promise<SeededLists> {
  const databases = { users: `users_${name}`, projects: `projects_${name}` };
  const existing = await queryDatabase(environment.databaseUrl('users'), 'select datname from pg_database');
  for (const database of Object.values(databases).map((created) => `bench_${created}`))
    if (!existing.some(({ datname }) => datname === database))
      await queryDatabase(environment.databaseUrl('users'), `create database ${database}`);
  const prefix = `bench_lists_${name}`;
  await createStreams(environment.natsUrl, { prefix, replicas: 1 });
  const users = await environment.startService('users', databases.users, { prefix });
  const projects = await environment.startService('projects', databases.projects, { prefix });
  const url = {
    users: environment.databaseUrl(databases.users),
    projects: environment.databaseUrl(databases.projects),
  };
  if (!(await isSeeded(url.projects, amounts))) await seed(url, amounts);
  await waitForEmptyOutbox(url.users);
  const firstId = async (database: string, sql: string) => String((await queryDatabase(database, sql))[0]?.id);
  const sample = async (kind: Kind) => {
    const rows = await queryDatabase(
      kind === 'users' ? url.users : url.projects,
      `${SAMPLES[kind]} order by md5(id) limit 2000`,
    );
    return {
      ids: rows.map(({ id }) => String(id)),
      nextSearchTerm: createSearchTerms(rows.map(({ text }) => String(text))),
    };
  };
  // The first seeded user has the most of everything, so the second is more typical of busy users.
  const [firstAdmin, admin = firstAdmin] = await queryDatabase(
    url.users,
    `select id from users where role = 'admin' and status = 'active' order by id limit 2`,
  );
  if (!admin) throw new Error('No administrator among the users');
  const [userSample, projectSample, taskSample] = await Promise.all([
    sample('users'),
    sample('projects'),
    sample('tasks'),
  ]);
  return {
    amounts,
    urls: { users: users.url, projects: projects.url },
    headers: { authorization: `Bearer ${await environment.tokenFor({ _id: String(admin.id), role: 'admin' })}` },
    caller: String(admin.id),
    department: await firstId(url.users, mostFrequentSql('users', 'department_id')),
    smallDepartment: await firstId(url.users, mostFrequentSql('users', 'department_id', 6)),
    assignee: await firstId(url.projects, mostFrequentSql('tasks', 'assigned_to', Math.floor(amounts.users / 1_000))),
    project: await firstId(url.projects, mostFrequentSql('tasks', 'project_id', Math.floor(amounts.projects / 1_000))),
    busiest: {
      user: await firstId(url.projects, mostFrequentSql('tasks', 'assigned_to')),
      project: await firstId(url.projects, mostFrequentSql('tasks', 'project_id')),
    },
    changeableIds: { users: userSample.ids, projects: projectSample.ids, tasks: taskSample.ids },
    nextSearchTerm: {
      users: userSample.nextSearchTerm,
      projects: projectSample.nextSearchTerm,
      tasks: taskSample.nextSearchTerm,
    },
    stop: async () => void (await Promise.all([users.stop(), projects.stop()])),
  };
}

/** Returns whether a previous bench has seeded the tasks. Its writers may have left or removed some. */
async function isSeeded(projectsUrl: string, { tasks }: Amounts): Promise<boolean> {
  const [row] = await queryDatabase(projectsUrl, 'select count(*) as n from tasks');
  return Number(row?.n) > tasks / 2;
}

/** Seeds in a separate function, so that the seed data, half a gigabyte of tasks, is garbage after it returns. */
async function seed(url: { users: string; projects: string }, amounts: Amounts): Promise<void> {
  const people = await seedPeople(url.users, amounts.users);
  await withoutIndexes(url.projects, 'tasks', () => seedProjects(url.projects, people, amounts));
}

/** Drops the indexes while `work` runs, because creating them over all rows at once is much faster than row by row. */
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

const mostFrequentSql = (table: string, column: string, offset = 0) =>
  `select ${column} as id from ${table} where ${column} is not null group by ${column} order by count(*) desc limit 1 offset ${offset}`;

/** Waits until a service has published all its events; the directory is then complete. */
export const waitForEmptyOutbox = (databaseUrl: string) =>
  waitFor(async () => Number((await queryDatabase(databaseUrl, 'select count(*) as n from outbox'))[0]?.n) === 0, {
    description: 'the outbox to be empty',
    timeoutMs: 600_000,
    intervalMs: 250,
  });
