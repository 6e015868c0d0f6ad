import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Closing } from '@atrium/proto-events/http/meetings/closing';
import type { CrashPoint } from '@atrium/service-kit/process/crash-point';
import { newId } from '@atrium/service-kit/process/new-id';
import { objectStoreEnv, testBucket, testDatabase, testNats, testRedis } from '@atrium/test-kit/backing-servers';
import { buildUser } from '@atrium/test-kit/build-user';
import { queryDatabase } from '@atrium/test-kit/query-database';
import { type ServiceProcess, startServiceProcess } from '@atrium/test-kit/start-service-process';
import { createTestTokens, type TestTokens } from '@atrium/test-kit/tokens';
import { waitFor } from '@atrium/test-kit/wait-for';
import { afterAll, beforeAll, expect, it } from '@jest/globals';

/**
 * Closes meetings with two pods of each participating service, each in a separate process. Pods crash at one crash
 * point after the other and are replaced. Still, there is one closing per meeting, one task per decision, one message,
 * and one outcome of each.
 */
const SERVICES = ['projects', 'chat', 'meetings'] as const;
type ServiceName = (typeof SERVICES)[number];

const COMMON_POINTS: readonly CrashPoint[] = [
  'after-commit-before-response',
  'after-commit-before-publish',
  'after-publish-before-delete',
  'after-effect-before-ack',
];
const POINTS: Record<ServiceName, readonly CrashPoint[]> = {
  meetings: COMMON_POINTS,
  projects: COMMON_POINTS,
  chat: [...COMMON_POINTS, 'after-message-before-announcement'],
};
/** Suffices to reach every crash point. */
const MAX_MEETINGS = 12;

const admin = buildUser({ role: 'admin', firstName: 'Ada' });
const manager = buildUser({ role: 'project_manager', firstName: 'Paul' });
const member = buildUser({ firstName: 'Mia' });
const users = [admin, manager, member];

type Environment = {
  databases: Record<ServiceName, string>;
  crashDirs: Record<ServiceName, string>;
  pods: Record<ServiceName, ServiceProcess[]>;
};
let environment: Environment;
/** All processes ever started: if one fails to start, the others must still be stopped. */
const startedPods: Promise<ServiceProcess>[] = [];
let tokens: TestTokens;
let start: (name: ServiceName) => Promise<ServiceProcess>;

beforeAll(async () => {
  tokens = await createTestTokens();
  const [nats, redis, bucket] = await Promise.all([testNats(), testRedis(), testBucket()]);
  const forEachService = async <T>(create: (name: ServiceName) => Promise<T>) =>
    Object.fromEntries(await Promise.all(SERVICES.map(async (name) => [name, await create(name)]))) as Record<
      ServiceName,
      T
    >;
  const databases = await forEachService((name) => testDatabase(`closing_${name}`));
  const crashDirs = await forEachService(() => mkdtemp(join(tmpdir(), 'atrium-closing-')));
  start = (name) => {
    const starting = startServiceProcess({
      main: new URL(`../../${name}/src/main.ts`, import.meta.url),
      tokens,
      users,
      env: {
        LOG_LEVEL: 'silent',
        DATABASE_URL: databases[name],
        NATS_URL: nats.url,
        NATS_PREFIX: nats.prefix,
        CRASH_POINTS_DIR: crashDirs[name],
        ...(name === 'chat' && { REDIS_URL: redis.url, REDIS_PREFIX: redis.prefix, ...objectStoreEnv(bucket) }),
      },
    });
    startedPods.push(starting);
    return starting;
  };
  // The first pod of each service runs the migrations.
  const firstPods = await forEachService(start);
  const secondPods = await forEachService(start);
  environment = {
    databases,
    crashDirs,
    pods: await forEachService(async (name) => [firstPods[name], secondPods[name]]),
  };
});

afterAll(async () => {
  const pods = await Promise.allSettled(startedPods);
  await Promise.all(pods.map((pod) => pod.status === 'fulfilled' && pod.value.end('SIGTERM')));
  if (!environment) return;
  await Promise.all(SERVICES.map((name) => rm(environment.crashDirs[name], { recursive: true })));
});

type RequestOptions = { as?: typeof admin; body?: unknown; key?: string };

/** Retries on alternating pods under the same key, like a browser that lost the response. */
async function request<T>(
  name: ServiceName,
  [method, path]: [string, string],
  { as = manager, body, key }: RequestOptions = {},
): Promise<T> {
  let turn = 0;
  const headers = {
    authorization: `Bearer ${await tokens.sign(as)}`,
    'content-type': 'application/json',
    ...(key && { 'idempotency-key': key }),
  };
  const init = { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) };
  return waitFor(
    async () => {
      const pod = environment.pods[name][turn++ % 2];
      const response = await fetch(`${pod?.url}/api${path}`, init).catch(() => undefined);
      if (response && response.status < 300) return (await response.json()) as T;
      if (response && response.status < 500 && response.status !== 404)
        throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
      return undefined;
    },
    { description: `${method} ${path} to succeed`, timeoutMs: 30_000, intervalMs: 100 },
  );
}

const queryRows = (name: ServiceName, sql: string, values: unknown[] = []) =>
  queryDatabase(environment.databases[name], sql, values);
const count = async (name: ServiceName, sql: string, values: unknown[]) =>
  Number((await queryRows(name, sql, values))[0]?.n);

async function createMeeting(project: string): Promise<string> {
  const startTime = new Date(Date.now() - 1_000).toISOString();
  const body = {
    title: 'Portal review',
    type: 'project-review',
    startTime,
    endTime: new Date(Date.now() + 3_600_000).toISOString(),
    meetingLink: 'https://meet.example.org/portal',
    participants: [member._id],
    project,
  };
  return (await request<{ _id: string }>('meetings', ['POST', '/meetings'], { body, key: newId() }))._id;
}

/** Replaces each crashed pod until stopped. */
function replaceKilledPods() {
  let isOver = false;
  const replaceOnCrash = async (name: ServiceName, index: number) => {
    while (!isOver) {
      const pod = environment.pods[name][index];
      if (pod && !(await isAlive(pod))) {
        await pod.end('SIGKILL');
        // A replacement that crashes before it is ready is replaced as well.
        const replacement = await start(name).catch(() => undefined);
        if (replacement) environment.pods[name][index] = replacement;
      }
      await delay(100);
    }
  };
  const loops = Promise.all(SERVICES.flatMap((name) => [replaceOnCrash(name, 0), replaceOnCrash(name, 1)]));
  return async () => {
    isOver = true;
    await loops;
  };
}

const isAlive = ({ url }: ServiceProcess) =>
  fetch(`${url}/livez`).then(
    () => true,
    () => false,
  );

const isSettled = ({ decisions, post }: Closing) =>
  decisions.every(({ state }) => state !== 'requested') && post?.state !== 'requested';

async function createProject(): Promise<string> {
  const body = {
    name: 'Customer portal',
    description: 'New sign-up',
    projectManager: manager._id,
    teamMembers: [member._id],
    priority: 'high',
    status: 'in-progress',
  };
  return (await request<{ _id: string }>('projects', ['POST', '/projects'], { as: admin, body, key: newId() }))._id;
}

const CLOSING = {
  summary: 'We ship in May.',
  decisions: [
    { text: 'Ship the portal', assignedTo: member._id, dueDate: '2030-05-01' },
    { text: 'Tell support' },
    // She is not a member of the project.
    { text: 'Ask Ada', assignedTo: admin._id },
  ],
};
const readClosing = (meeting: string) => request<Closing>('meetings', ['GET', `/meetings/${meeting}/closing`]);

async function verifyClosing({ project, meeting }: { project: string; meeting: string }): Promise<void> {
  const { decisions, post } = await readClosing(meeting);
  expect(post).toMatchObject({ state: 'posted', seq: 1 });
  expect(decisions).toMatchObject([
    { text: 'Ship the portal', state: 'task' },
    { text: 'Tell support', state: 'task' },
    { text: 'Ask Ada', state: 'rejected', rejection: 'Tasks can be assigned to project members only' },
  ]);
  const tasks = await queryRows('projects', 'select id, title from tasks where project_id = $1 order by title', [
    project,
  ]);
  expect(tasks.map(({ title }) => title)).toEqual(['Ship the portal', 'Tell support']);
  expect(decisions.flatMap(({ task }) => task?._id ?? []).sort()).toEqual(tasks.map(({ id }) => id).sort());
  const messages = `select count(*) as n from messages m join project_conversations p using (conversation_id) where p.project_id = $1`;
  expect(await count('chat', messages, [project])).toBe(1);
  expect(await count('meetings', 'select count(*) as n from closings where meeting_id = $1', [meeting])).toBe(1);
  expect(await count('meetings', 'select count(*) as n from decisions where meeting_id = $1', [meeting])).toBe(3);
}

it('each meeting is closed exactly once even if pods crash between any two steps', async () => {
  const project = await createProject();
  await waitFor(async () => (await count('chat', 'select count(*) as n from conversations', [])) === 1, {
    description: 'chat to know the project',
  });
  for (const name of SERVICES)
    for (const point of POINTS[name]) await writeFile(join(environment.crashDirs[name], point), '');
  const listRemainingPoints = async () =>
    (await Promise.all(SERVICES.map((name) => readdir(environment.crashDirs[name])))).flat();
  const stopReplacing = replaceKilledPods();
  const closings: { project: string; meeting: string }[] = [];
  try {
    while ((await listRemainingPoints()).length > 0 && closings.length < MAX_MEETINGS) {
      const projectId = closings.length === 0 ? project : await createProject();
      const meeting = await createMeeting(projectId);
      await request('meetings', ['POST', `/meetings/${meeting}/close`], {
        body: CLOSING,
        key: `close ${meeting}`,
      });
      closings.push({ project: projectId, meeting });
    }
    for (const { meeting } of closings)
      await waitFor(async () => isSettled(await readClosing(meeting)), {
        description: 'the outcomes of post and decisions',
        timeoutMs: 90_000,
        intervalMs: 200,
      });
    for (const name of SERVICES)
      await waitFor(async () => (await count(name, 'select count(*) as n from outbox', [])) === 0, {
        description: `the outbox of ${name} to be empty`,
      });
  } finally {
    await stopReplacing();
  }
  expect(await listRemainingPoints()).toEqual([]);
  for (const closing of closings) await verifyClosing(closing);
});
