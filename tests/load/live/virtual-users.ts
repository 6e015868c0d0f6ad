import { newId } from '@atrium/service-kit/process/new-id';
import { freePort } from '@atrium/test-kit/free-port';
import { queryDatabase } from '@atrium/test-kit/query-database';
import { waitFor } from '@atrium/test-kit/wait-for';
import { seedPeople } from '@atrium/tools/seed/seed-people';
import { seedProjects } from '@atrium/tools/seed/seed-projects';
import type { World } from '../load-environment.ts';
import type { Measured } from '../processes.ts';
import { untilTold } from '../seeded-lists.ts';

/** Of each project that the load changes, before it does. */
export const FIRST_STATE = 'in-progress';

const PREFIX = 'bench_live';
const TASKS_PER_PROJECT = 40;
const PEOPLE_PER_PROJECT = 10;
/** Beside those whom the browsers belong to. */
const OTHERS = 40;

export type Person = { _id: string; role: 'admin' | 'project_manager' | 'member'; token: string };
export type Office = Awaited<ReturnType<typeof startOffice>>;

/** A workspace of so many people, each with a token, and one project for every ten; behind a gateway with the budgets of a deployment. */
export async function startOffice(world: World, browsers: number) {
  const parts = ['users', 'projects', 'meetings', 'documents', 'chat'] as const;
  for (const part of parts) await queryDatabase(world.databaseUrl('users'), `create database bench_${part}_live`);
  const chatPort = await freePort();
  const start = (part: (typeof parts)[number], port?: number) =>
    world.startService(part, `${part}_live`, { prefix: PREFIX, ...(port !== undefined && { port }) });
  const [users, projects, meetings] = [await start('users'), await start('projects'), await start('meetings')];
  const documents = await start('documents');
  let chat = await start('chat', chatPort);
  const gateway = await world.startGateway(
    {
      USERS_URL: users.url,
      PROJECTS_URL: projects.url,
      MEETINGS_URL: meetings.url,
      DOCUMENTS_URL: documents.url,
      CHAT_URL: chat.url,
    },
    // Everybody comes from one address here; each person's own budget is that of a deployment.
    { RATE_LIMIT_PER_USER: '1200', RATE_LIMIT_SOCKET: '100000000', NATS_PREFIX: PREFIX },
  );
  const seeded = await seedPeople(world.databaseUrl('users_live'), browsers + OTHERS);
  const count = Math.max(4, Math.ceil(browsers / PEOPLE_PER_PROJECT));
  const tasks = await seedProjects(world.databaseUrl('projects_live'), seeded, {
    projects: count,
    tasks: count * TASKS_PER_PROJECT,
  });
  // What is completed is final: nobody could change it.
  const open = await queryDatabase(
    world.databaseUrl('projects_live'),
    `select id from projects where status <> 'completed'`,
  );
  const changeable = new Set(open.map(({ id }) => String(id)));
  await untilTold(world.databaseUrl('users_live'));
  const active = seeded.filter(({ status }) => status === 'active');
  const people = await Promise.all(
    active.map(async ({ id, role }): Promise<Person> => {
      const person = { _id: id, role };
      return { ...person, token: await world.tokenFor(person) };
    }),
  );
  const [admin, ...members] = people;
  if (admin?.role !== 'admin') throw new Error('the first of the seeded people is no administrator');
  const change = (path: string, by: Person, request: Write) => write(`${gateway.url}/api${path}`, by, request);
  // Chat hears of a project when something of it happens, and then makes its conversation: that is none of the changes that are measured.
  for (const id of changeable)
    await change(`/projects/${id}`, admin, {
      method: 'PATCH',
      body: { description: 'What it is about', status: FIRST_STATE },
    });
  await waitFor(
    async () => {
      const [row] = await queryDatabase(
        world.databaseUrl('chat_live'),
        `select count(*)::int as made from conversations where type = 'project'`,
      );
      return Number(row?.made) >= changeable.size;
    },
    { what: 'the conversations of all projects', timeoutMs: 60_000 },
  );
  return {
    url: gateway.url,
    gateway,
    admin,
    members,
    projects: [...changeable],
    tasks: tasks.filter(({ project_id }) => changeable.has(project_id)),
    chat: (): Measured => chat,
    /** Every process that takes part, by its name. */
    processes: (): Record<string, Measured> => ({ gateway, users, projects, meetings, documents, chat }),
    /** Everything that was changed has been told. */
    settled: () => Promise.all(parts.map((part) => untilTold(world.databaseUrl(`${part}_live`)))),
    async restartChat(): Promise<void> {
      await chat.stop();
      chat = await start('chat', chatPort);
    },
    /** A channel of these people. */
    async makeChannel(participants: readonly Person[]): Promise<string> {
      const { _id } = await write(`${gateway.url}/api/chat/conversations`, admin, {
        method: 'POST',
        body: { type: 'group', title: `live-${newId().slice(-8)}`, participants: participants.map((one) => one._id) },
      });
      return String(_id);
    },
    write: change,
    async stop() {
      await gateway.stop();
      await Promise.all([users, projects, meetings, documents, chat].map((part) => part.stop()));
    },
  };
}

export type Write = { method: 'POST' | 'PATCH'; body: Record<string, unknown> } | { method: 'DELETE' };

/** What the server answered where it did not do what it was asked to. */
export class Refused extends Error {
  readonly status: number;

  constructor(status: number, sentence: string) {
    super(sentence);
    this.status = status;
  }
}

/** Answers what the server answered. Throws `Refused` for a refusal: a change that was none is no figure. */
async function write(url: string, { token }: Person, { method, ...given }: Write): Promise<Record<string, unknown>> {
  const response = await fetch(url, {
    method,
    headers: { authorization: `Bearer ${token}`, ...('body' in given && { 'content-type': 'application/json' }) },
    ...('body' in given && { body: JSON.stringify(given.body) }),
  });
  const text = await response.text();
  if (!response.ok)
    throw new Refused(response.status, `${method} ${url} answered ${response.status}: ${text.slice(0, 300)}`);
  return text === '' ? {} : (JSON.parse(text) as Record<string, unknown>);
}
