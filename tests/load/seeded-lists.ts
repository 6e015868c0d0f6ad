import { type SeededPerson, seedCompletedTasks, seedPeople } from '@atrium/local/seed/seed-people';
import { seedProjects } from '@atrium/local/seed/seed-projects';
import { queryDatabase } from '@atrium/test-kit/query-database';
import { waitFor } from '@atrium/test-kit/wait-for';
import type { World } from './world.ts';

export type Amounts = { people: number; projects: number; tasks: number };

/** A workspace of some size, for its lists: the two services that have them, and what the paths of its lists need. */
export type SeededLists = {
  amounts: Amounts;
  urls: { users: string; projects: string };
  headers: Record<string, string>;
  /** The department, the person and the project that has the most. */
  department: string;
  smallDepartment: string;
  assignee: string;
  project: string;
  stop(): Promise<void>;
};

/** Starts the services over databases of their own and seeds them as `npm run seed` does. */
export async function startSeededLists(world: World, name: string, amounts: Amounts): Promise<SeededLists> {
  const databases = { users: `users_${name}`, projects: `projects_${name}` };
  for (const database of Object.values(databases)) {
    await queryDatabase(world.databaseUrl('users'), `create database bench_${database}`);
  }
  const prefix = `bench_lists_${name}`;
  const users = await world.startService('users', databases.users, prefix);
  const projects = await world.startService('projects', databases.projects, prefix);
  const url = { users: world.databaseUrl(databases.users), projects: world.databaseUrl(databases.projects) };
  const people = await seedPeople(url.users, amounts.people);
  const tasks = await seedProjects(url.projects, people, amounts);
  await seedCompletedTasks(url.users, tasks);
  await untilTold(url.users);
  const [admin] = people as [SeededPerson];
  const first = async (database: string, sql: string) => String((await queryDatabase(database, sql))[0]?.id);
  return {
    amounts,
    urls: { users: users.url, projects: projects.url },
    headers: { authorization: `Bearer ${await world.tokenFor({ _id: admin.id, role: admin.role })}` },
    department: await first(url.users, most('users', 'department_id')),
    smallDepartment: await first(url.users, most('users', 'department_id', 6)),
    assignee: await first(url.projects, most('tasks', 'assigned_to')),
    project: await first(url.projects, most('tasks', 'project_id')),
    stop: async () => void (await Promise.all([users.stop(), projects.stop()])),
  };
}

const most = (table: string, column: string, offset = 0) =>
  `select ${column} as id from ${table} where ${column} is not null group by ${column} order by count(*) desc limit 1 offset ${offset}`;

/** Until the directory has been told of everybody. */
export const untilTold = (usersUrl: string) =>
  waitFor(async () => Number((await queryDatabase(usersUrl, 'select count(*) as n from outbox'))[0]?.n) === 0, {
    what: 'the directory to be told',
    timeoutMs: 300_000,
    everyMs: 250,
  });
