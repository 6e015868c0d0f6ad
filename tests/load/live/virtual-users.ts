import { newId } from '@atrium/service-kit/process/new-id';
import { createStreams } from '@atrium/test-kit/backing-servers';
import { freePort } from '@atrium/test-kit/free-port';
import { queryDatabase } from '@atrium/test-kit/query-database';
import { waitFor } from '@atrium/test-kit/wait-for';
import { seedPeople } from '@atrium/tools/seed/seed-people';
import { seedProjects } from '@atrium/tools/seed/seed-projects';
import type { LoadEnvironment } from '../load-environment.ts';
import type { MeasuredProcess } from '../processes.ts';
import { waitForEmptyOutbox } from '../seeded-lists.ts';

/** Initial status of each project that the load changes. */
export const INITIAL_STATUS = 'in-progress';

const PREFIX = 'bench_live';
const TASKS_PER_PROJECT = 40;
const USERS_PER_PROJECT = 10;
/** A gateway has two open files for each socket, of 20,000 at most on many machines. */
const USERS_PER_GATEWAY = 8_000;
/** Users without a browser. */
const USERS_WITHOUT_BROWSER = 40;

export type VirtualUser = { _id: string; role: 'admin' | 'project_manager' | 'member'; token: string };
export type LoadWorkspace = Awaited<ReturnType<typeof startLoadWorkspace>>;

/**
 * Starts a workspace with a number of users, each with a token, one project per ten users, and a gateway with
 * production rate limits.
 */
export async function startLoadWorkspace(environment: LoadEnvironment, browsers: number) {
  const services = ['users', 'projects', 'meetings', 'documents', 'chat'] as const;
  for (const service of services)
    await queryDatabase(environment.databaseUrl('users'), `create database bench_${service}_live`);
  await createStreams(environment.natsUrl, { prefix: PREFIX, replicas: 1 });
  const chatPort = await freePort();
  const start = (service: (typeof services)[number], port?: number) =>
    environment.startService(service, `${service}_live`, { prefix: PREFIX, ...(port !== undefined && { port }) });
  const users = await start('users');
  const projects = await start('projects');
  const meetings = await start('meetings');
  const documents = await start('documents');
  let chat = await start('chat', chatPort);
  const upstreams = {
    USERS_URL: users.url,
    PROJECTS_URL: projects.url,
    MEETINGS_URL: meetings.url,
    DOCUMENTS_URL: documents.url,
    CHAT_URL: chat.url,
  };
  // All users share one IP address. The limit per user is the same as in a deployment.
  const limits = { RATE_LIMIT_PER_USER: '1200', RATE_LIMIT_SOCKET: '100000000', NATS_PREFIX: PREFIX };
  const gateway = await environment.startGateway(upstreams, limits);
  const otherGateways: MeasuredProcess[] = [];
  while ((otherGateways.length + 1) * USERS_PER_GATEWAY < browsers)
    otherGateways.push(await environment.startGateway(upstreams, limits));
  const seededUsers = await seedPeople(environment.databaseUrl('users_live'), browsers + USERS_WITHOUT_BROWSER);
  const count = Math.max(4, Math.ceil(browsers / USERS_PER_PROJECT));
  const tasks = await seedProjects(environment.databaseUrl('projects_live'), seededUsers, {
    projects: count,
    tasks: count * TASKS_PER_PROJECT,
  });
  // Completed projects are final and cannot change.
  const changeableRows = await queryDatabase(
    environment.databaseUrl('projects_live'),
    `select id from projects where status <> 'completed'`,
  );
  const changeable = new Set(changeableRows.map(({ id }) => String(id)));
  await waitForEmptyOutbox(environment.databaseUrl('users_live'));
  const activeUsers = seededUsers.filter(({ status }) => status === 'active');
  const virtualUsers = await Promise.all(
    activeUsers.map(async ({ id, role }): Promise<VirtualUser> => {
      const user = { _id: id, role };
      return { ...user, token: await environment.tokenFor(user) };
    }),
  );
  const [admin, ...members] = virtualUsers;
  if (admin?.role !== 'admin') throw new Error('The first seeded user is not an administrator');
  const writeAs = (path: string, user: VirtualUser, request: Write) =>
    write(`${gateway.url}/api${path}`, user, request);
  // Chat creates a project's conversation with the first event about it, which must not count as a measured change.
  for (const id of changeable)
    await writeAs(`/projects/${id}`, admin, {
      method: 'PATCH',
      body: { description: 'What it is about', status: INITIAL_STATUS },
    });
  await waitFor(
    async () => {
      const [row] = await queryDatabase(
        environment.databaseUrl('chat_live'),
        `select count(*)::int as made from conversations where type = 'project'`,
      );
      return Number(row?.made) >= changeable.size;
    },
    { description: 'the conversations of all projects', timeoutMs: 60_000 },
  );
  return {
    url: gateway.url,
    /** The addresses of all gateways. */
    urls: [gateway, ...otherGateways].map(({ url }) => url),
    admin,
    members,
    projects: [...changeable],
    tasks: tasks.filter(({ project_id }) => changeable.has(project_id)),
    chat: (): MeasuredProcess => chat,
    /** Every measured process by name. */
    processes: (): Record<string, MeasuredProcess> => ({
      gateway,
      ...Object.fromEntries(otherGateways.map((other, index) => [`gateway ${index + 2}`, other])),
      users,
      projects,
      meetings,
      documents,
      chat,
    }),
    /** Waits until all changes are published. */
    waitUntilPublished: () =>
      Promise.all(services.map((service) => waitForEmptyOutbox(environment.databaseUrl(`${service}_live`)))),
    async restartChat(): Promise<void> {
      await chat.stop();
      chat = await start('chat', chatPort);
    },
    /** Creates a channel and returns its id. */
    async createChannel(participants: readonly VirtualUser[]): Promise<string> {
      const { _id } = await write(`${gateway.url}/api/chat/conversations`, admin, {
        method: 'POST',
        body: {
          type: 'group',
          title: `live-${newId().slice(-8)}`,
          participants: participants.map((participant) => participant._id),
        },
      });
      return String(_id);
    },
    write: writeAs,
    async stop() {
      await Promise.all([gateway, ...otherGateways].map((each) => each.stop()));
      await Promise.all([users, projects, meetings, documents, chat].map((service) => service.stop()));
    },
  };
}

export type Write = { method: 'POST' | 'PATCH'; body: Record<string, unknown> } | { method: 'DELETE' };

/** The server's error response. */
export class RejectedRequest extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** Sends a write. Throws `RejectedRequest` if it fails, because it is then not a change. */
async function write(
  url: string,
  { token }: VirtualUser,
  { method, ...content }: Write,
): Promise<Record<string, unknown>> {
  const response = await fetch(url, {
    method,
    headers: { authorization: `Bearer ${token}`, ...('body' in content && { 'content-type': 'application/json' }) },
    ...('body' in content && { body: JSON.stringify(content.body) }),
  });
  const text = await response.text();
  if (!response.ok)
    throw new RejectedRequest(response.status, `${method} ${url} returned ${response.status}: ${text.slice(0, 300)}`);
  return text === '' ? {} : (JSON.parse(text) as Record<string, unknown>);
}
