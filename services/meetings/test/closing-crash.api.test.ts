import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Closing } from '@atrium/proto-events/http/meeting-closing';
import type { CrashPoint } from '@atrium/service-kit/process/crash-point';
import { newId } from '@atrium/service-kit/process/new-id';
import { storeEnv, testBucket, testDatabase, testNats, testRedis } from '@atrium/test-kit/backing-servers';
import { buildUser } from '@atrium/test-kit/people';
import { queryDatabase } from '@atrium/test-kit/query-database';
import { type ServiceProcess, startServiceProcess } from '@atrium/test-kit/start-service-process';
import { createTestTokens, type TestTokens } from '@atrium/test-kit/tokens';
import { waitFor } from '@atrium/test-kit/wait-for';
import { afterAll, beforeAll, expect, it } from '@jest/globals';

/**
 * Closes meetings with two pods of each participating service, each a process of its own. Pods crash between any two steps, at one crash
 * point after the other, and are replaced. In any case there is one closing per meeting, one task per decision, one message, and one
 * response to each.
 */
const SERVICES = ['projects', 'chat', 'meetings'] as const;
type Name = (typeof SERVICES)[number];

const ALL_SERVICES: readonly CrashPoint[] = [
  'after-commit-before-response',
  'after-commit-before-publish',
  'after-publish-before-delete',
  'after-effect-before-ack',
];
const POINTS: Record<Name, readonly CrashPoint[]> = {
  meetings: ALL_SERVICES,
  projects: ALL_SERVICES,
  chat: [...ALL_SERVICES, 'after-message-before-announcement'],
};
/** Enough to reach every crash point. */
const MAX_MEETINGS = 12;

const admin = buildUser({ role: 'admin', firstName: 'Ada' });
const manager = buildUser({ role: 'project_manager', firstName: 'Paul' });
const member = buildUser({ firstName: 'Mia' });
const people = [admin, manager, member];

type Environment = {
  databases: Record<Name, string>;
  armed: Record<Name, string>;
  pods: Record<Name, ServiceProcess[]>;
};
let environment: Environment;
/** All processes ever started: if one fails to start, the others must still be stopped. */
const started: Promise<ServiceProcess>[] = [];
let tokens: TestTokens;
let start: (name: Name) => Promise<ServiceProcess>;

beforeAll(async () => {
  tokens = await createTestTokens();
  const [nats, redis, bucket] = await Promise.all([testNats(), testRedis(), testBucket()]);
  const each = async <T>(make: (name: Name) => Promise<T>) =>
    Object.fromEntries(await Promise.all(SERVICES.map(async (name) => [name, await make(name)]))) as Record<Name, T>;
  const databases = await each((name) => testDatabase(`closing_${name}`));
  const armed = await each(() => mkdtemp(join(tmpdir(), 'atrium-closing-')));
  start = (name) => {
    const starting = startServiceProcess({
      main: new URL(`../../${name}/src/main.ts`, import.meta.url),
      tokens,
      people,
      env: {
        LOG_LEVEL: 'silent',
        DATABASE_URL: databases[name],
        NATS_URL: nats.url,
        NATS_PREFIX: nats.prefix,
        CRASH_POINTS_DIR: armed[name],
        ...(name === 'chat' && { REDIS_URL: redis.url, REDIS_PREFIX: redis.prefix, ...storeEnv(bucket) }),
      },
    });
    started.push(starting);
    return starting;
  };
  // The first pod of each service migrates.
  const firsts = await each(start);
  const seconds = await each(start);
  environment = { databases, armed, pods: await each(async (name) => [firsts[name], seconds[name]]) };
});

afterAll(async () => {
  const pods = await Promise.allSettled(started);
  await Promise.all(pods.map((pod) => pod.status === 'fulfilled' && pod.value.end('SIGTERM')));
  if (!environment) return;
  await Promise.all(SERVICES.map((name) => rm(environment.armed[name], { recursive: true })));
});

type RequestOptions = { as?: typeof admin; body?: unknown; key?: string };

/** Retries on alternating pods under the same key, like a browser that lost the response. */
async function request<T>(
  name: Name,
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
    { what: `${method} ${path} to succeed`, timeoutMs: 30_000, intervalMs: 100 },
  );
}

const rows = (name: Name, sql: string, values: unknown[] = []) =>
  queryDatabase(environment.databases[name], sql, values);
const count = async (name: Name, sql: string, values: unknown[]) => Number((await rows(name, sql, values))[0]?.n);

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
  const keep = async (name: Name, index: number) => {
    while (!isOver) {
      const pod = environment.pods[name][index];
      if (pod && !(await isAlive(pod))) {
        await pod.end('SIGKILL');
        // A replacement that crashes before it is ready is replaced, too.
        const next = await start(name).catch(() => undefined);
        if (next) environment.pods[name][index] = next;
      }
      await pause(100);
    }
  };
  const work = Promise.all(SERVICES.flatMap((name) => [keep(name, 0), keep(name, 1)]));
  return async () => {
    isOver = true;
    await work;
  };
}

const isAlive = ({ url }: ServiceProcess) =>
  fetch(`${url}/livez`).then(
    () => true,
    () => false,
  );

const isSettled = ({ decisions, post }: Closing) =>
  decisions.every(({ state }) => state !== 'requested') && post?.state !== 'requested';

async function buildProject(): Promise<string> {
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
    // Not a member of the project.
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
  const tasks = await rows('projects', 'select id, title from tasks where project_id = $1 order by title', [project]);
  expect(tasks.map(({ title }) => title)).toEqual(['Ship the portal', 'Tell support']);
  expect(decisions.flatMap(({ task }) => task?._id ?? []).sort()).toEqual(tasks.map(({ id }) => id).sort());
  const messages = `select count(*) as n from messages m join project_conversations p using (conversation_id) where p.project_id = $1`;
  expect(await count('chat', messages, [project])).toBe(1);
  expect(await count('meetings', 'select count(*) as n from closings where meeting_id = $1', [meeting])).toBe(1);
  expect(await count('meetings', 'select count(*) as n from decisions where meeting_id = $1', [meeting])).toBe(3);
}

it('closes each meeting exactly once even if pods crash between any two steps', async () => {
  const project = await buildProject();
  await waitFor(async () => (await count('chat', 'select count(*) as n from conversations', [])) === 1, {
    what: 'chat to know the project',
  });
  for (const name of SERVICES)
    for (const point of POINTS[name]) await writeFile(join(environment.armed[name], point), '');
  const armed = async () => (await Promise.all(SERVICES.map((name) => readdir(environment.armed[name])))).flat();
  const end = replaceKilledPods();
  const closed: { project: string; meeting: string }[] = [];
  try {
    while ((await armed()).length > 0 && closed.length < MAX_MEETINGS) {
      const of = closed.length === 0 ? project : await buildProject();
      const meeting = await createMeeting(of);
      await request('meetings', ['POST', `/meetings/${meeting}/close`], {
        body: CLOSING,
        key: `close ${meeting}`,
      });
      closed.push({ project: of, meeting });
    }
    for (const { meeting } of closed)
      await waitFor(async () => isSettled(await readClosing(meeting)), {
        what: 'every response',
        timeoutMs: 90_000,
        intervalMs: 200,
      });
    for (const name of SERVICES)
      await waitFor(async () => (await count(name, 'select count(*) as n from outbox', [])) === 0, {
        what: `the outbox of ${name} to be empty`,
        timeoutMs: 60_000,
      });
  } finally {
    await end();
  }
  expect(await armed()).toEqual([]);
  for (const one of closed) await verifyClosing(one);
}, 240_000);
