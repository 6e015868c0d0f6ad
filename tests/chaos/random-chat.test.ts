import { setTimeout as pause } from 'node:timers/promises';
import { createSeededRandom } from '@atrium/test-kit/seeded-random';
import { createFaultyProxies, type FaultyProxies } from '@atrium/test-kit/system/faulty-proxies';
import { type Cluster, EVERY_PROCESS, startCluster } from '@atrium/test-kit/system/start-cluster';
import { createWatchedContext } from '@atrium/test-kit/system/start-system';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { HIGH_LIMITS } from '../workspace/builders.ts';
import { type Client, expectStatus, join, setUp } from '../workspace/workspace.ts';
import type { Action } from './random-chat/actions.ts';
import { type ChatClient, fetchServerState, listDifferences, startChatClient } from './random-chat/chat-client.ts';

/**
 * Four users of Team Chat on two pods act at random while pods are killed and Redis and network connections fail; afterwards every browser
 * must show the server's state. `CHAT_FUZZ_SEED="<seed> <steps>"` repeats a run or makes a longer one.
 */
const [SEED = 20_261_125, STEPS = 1_200] = (process.env.CHAT_FUZZ_SEED ?? '').split(' ').filter(Boolean).map(Number);
const ROUNDS = 6;
/** Longer than the twelve seconds for which a lost read receipt is retried. */
const SETTLE_MS = 45_000;
const LIMITS = { ...HIGH_LIMITS, MAX_GROUPS_PER_USER_PER_DAY: '0', MAX_SOCKET_EVENTS_PER_MINUTE: '1000000' };

let cluster: Cluster;
let proxies: FaultyProxies[];
let clients: ChatClient[] = [];
let channels: string[];
let clear: () => Promise<void>;

beforeAll(async () => {
  const watched = createWatchedContext({ env: LIMITS });
  clear = async () => {
    await watched.box.reaper.close();
    watched.box.ports.release();
  };
  cluster = await startCluster(watched);
  const others = EVERY_PROCESS.filter((name) => name !== 'chat');
  await Promise.all(others.map((name) => cluster.addPod(name)));
  proxies = await Promise.all([1, 2].map(() => createFaultyProxies('chat', cluster.envOf('chat'))));
  await Promise.all(proxies.map(({ env }, index) => cluster.addPod('chat', { title: String(index), env })));
  const admin = await setUp(cluster.url);
  const people: Client[] = [admin];
  for (const first of ['Lena', 'Jonas', 'Priya'])
    people.push(await join(cluster.url, admin, { first, role: 'project_manager' }));
  channels = await Promise.all(['one', 'two', 'three'].map((title) => createChannel(admin, title, people)));
  clients = await Promise.all(people.map((person) => startChatClient(cluster.url, person)));
}, 600_000);

afterAll(async () => {
  await Promise.all(clients.map(({ end }) => end()));
  await cluster?.stop();
  await Promise.all((proxies ?? []).map(({ close }) => close()));
  await clear?.();
});

async function createChannel(admin: Client, title: string, people: readonly Client[]): Promise<string> {
  const body = { type: 'group', title, participants: people.map(({ id }) => id) };
  return (await expectStatus(admin.call<{ _id: string }>('POST', '/chat/conversations', body), 201))._id;
}

const WEIGHTS: readonly [kind: Action['do'] | 'rest', weight: number][] = [
  ['send', 40],
  ['edit', 10],
  ['delete', 6],
  ['open', 12],
  ['remove', 3],
  ['add', 6],
  ['rename', 2],
  ['offline', 3],
  ['online', 6],
  ['rest', 4],
];
const KINDS = WEIGHTS.flatMap(([kind, weight]) => Array.from({ length: weight }, () => kind));

/** Only the first user, who created the channels, adds, removes, and renames. */
function nextAction(random: () => number, step: number, isOwner: boolean): Action | 'rest' {
  const pick = <T>(items: readonly T[]): T => items[Math.floor(random() * items.length)] as T;
  const kind = pick(KINDS);
  const conversation = pick(channels);
  switch (kind) {
    case 'send':
      return { do: 'send', conversation, content: `#${step} ${'word '.repeat(1 + Math.floor(random() * 8)).trim()}` };
    case 'edit':
      return { do: 'edit', nth: Math.floor(random() * 20), content: `#${step} edited` };
    case 'delete':
      return { do: 'delete', nth: Math.floor(random() * 20) };
    case 'open':
      return { do: 'open', conversation: random() < 0.1 ? null : conversation };
    case 'add':
    case 'remove':
      return isOwner ? { do: kind, conversation, person: pick(clients.slice(1)).person.id } : 'rest';
    case 'rename':
      return isOwner ? { do: 'rename', conversation, title: `name ${step}` } : 'rest';
    case 'offline':
    case 'online':
      return { do: kind };
    default:
      return 'rest';
  }
}

/** The kinds of action that were attempted, and those that the server accepted at least once. */
const [tried, done] = [new Set<string>(), new Set<string>()];

async function act(client: ChatClient, action: Action): Promise<void> {
  tried.add(action.do);
  const { error } = await client.act(action);
  if (error === undefined) done.add(action.do);
}

async function work(client: ChatClient, random: () => number, steps: number, firstStep: number): Promise<void> {
  for (let step = firstStep; step < firstStep + steps; step += 1) {
    const action = nextAction(random, step, client === clients[0]);
    // Without a network, sending retries until the network is back, so it is not awaited.
    if (action === 'rest') await pause(random() * 50);
    else if (action.do === 'send') void act(client, action).catch(() => undefined);
    else await act(client, action);
    await pause(random() * 40);
  }
  await client.act({ do: 'online' });
}

type Failure = { name: string; make(random: () => number): Promise<void> };

const redisProxies = () => proxies.map((proxy) => proxy.to('redis'));
const temporarily = async (apply: () => void, random: () => number) => {
  apply();
  await pause(500 + random() * 3_000);
  for (const proxy of redisProxies()) proxy.restore();
};
const kill = (index: number) => cluster.pods('chat')[index]?.part.kill('SIGKILL');

const FAILURES: readonly Failure[] = [
  { name: 'nothing', make: async () => undefined },
  { name: 'one pod is killed', make: async (random) => void kill(random() < 0.5 ? 0 : 1) },
  {
    name: 'both pods lose Redis',
    make: (random) =>
      temporarily(() => {
        for (const proxy of redisProxies()) proxy.cut();
      }, random),
  },
  {
    name: 'Redis stops responding to one pod',
    make: (random) => temporarily(() => redisProxies()[random() < 0.5 ? 0 : 1]?.stall(), random),
  },
  {
    name: 'both pods are killed',
    make: async () => {
      kill(0);
      kill(1);
    },
  },
];

/** The differences between browsers and server that remain after the settling time. */
async function findDifferences(): Promise<string[]> {
  const deadline = performance.now() + SETTLE_MS;
  for (;;) {
    const found = await Promise.all(
      clients.map(async ({ person, act }) => {
        const { shown } = await act({ do: 'show' });
        const saved = await fetchServerState(person, shown.open).catch((error: unknown) => String(error));
        if (typeof saved === 'string') return [`${person.name}: ${saved}`];
        return listDifferences(shown, saved).map((item) => `${person.name}: ${item}`);
      }),
    );
    if (found.flat().length === 0 || performance.now() > deadline) return found.flat();
    await pause(250);
  }
}

it(`random chat: every browser shows the server's state after all failures (CHAT_FUZZ_SEED="${SEED} ${STEPS}")`, async () => {
  const random = createSeededRandom(SEED);
  const perRound = Math.ceil(STEPS / ROUNDS / clients.length);
  for (let round = 0; round < ROUNDS; round += 1) {
    const failure = FAILURES[round % FAILURES.length];
    const firstStep = round * perRound * clients.length;
    await Promise.all([
      ...clients.map((client, index) =>
        work(client, createSeededRandom(random() * 2 ** 31), perRound, firstStep + index * perRound),
      ),
      pause(random() * 1_000).then(() => failure?.make(random)),
    ]);
    expect({ round, failure: failure?.name, differs: (await findDifferences()).slice(0, 12) }).toEqual({
      round,
      failure: failure?.name,
      differs: [],
    });
  }
  expect([...done].sort()).toEqual([...tried].sort());
  const { shown } = (await clients[0]?.act({ do: 'show' })) ?? {};
  expect(shown?.conversations.reduce((sum, { lastSeq }) => sum + lastSeq, 0)).toBeGreaterThan(STEPS / 5);
}, 600_000);
