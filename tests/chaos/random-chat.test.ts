import { setTimeout as delay } from 'node:timers/promises';
import { createSeededRandom } from '@atrium/test-kit/seeded-random';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { HIGH_LIMITS } from '../workspace/builders.ts';
import { type Client, createUser, expectStatus, setUpWorkspace } from '../workspace/workspace.ts';
import type { Action } from './random-chat/actions.ts';
import { type ChatClient, fetchServerState, listDifferences, startChatClient } from './random-chat/chat-client.ts';
import { type PairsOfPods, startPairsOfPods } from './start-pairs-of-pods.ts';

/**
 * Four users of Team Chat on two pods act at random while pods are killed and Redis and network connections fail. Every
 * browser must then show the server's state. `CHAT_FUZZ_SEED="<seed> <steps>"` repeats a run or makes a longer one.
 */
const [SEED = 20_261_125, STEPS = 1_200] = (process.env.CHAT_FUZZ_SEED ?? '').split(' ').filter(Boolean).map(Number);
const ROUNDS = 6;
/** Longer than lost read receipts are retried, which is twelve seconds. */
const SETTLE_MS = 45_000;
const LIMITS = { ...HIGH_LIMITS, MAX_GROUPS_PER_USER_PER_DAY: '0', MAX_SOCKET_EVENTS_PER_MINUTE: '1000000' };

let pods: PairsOfPods;
let clients: ChatClient[] = [];
let channels: string[];

beforeAll(async () => {
  pods = await startPairsOfPods(['chat'], LIMITS);
  const { url } = pods.cluster;
  const admin = await setUpWorkspace(url);
  const users: Client[] = [admin];
  for (const first of ['Lena', 'Jonas', 'Priya'])
    users.push(await createUser(url, admin, { first, role: 'project_manager' }));
  channels = await Promise.all(['one', 'two', 'three'].map((title) => createChannel(admin, title, users)));
  clients = await Promise.all(users.map((user) => startChatClient(url, user)));
});

afterAll(async () => {
  await Promise.all(clients.map(({ end }) => end()));
  await pods?.stop();
});

async function createChannel(admin: Client, title: string, users: readonly Client[]): Promise<string> {
  const body = { type: 'group', title, participants: users.map(({ id }) => id) };
  return (await expectStatus(admin.call<{ _id: string }>('POST', '/chat/conversations', body), 201))._id;
}

const WEIGHTS: readonly [kind: Action['do'] | 'idle', weight: number][] = [
  ['send', 40],
  ['edit', 10],
  ['delete', 6],
  ['react', 12],
  ['pin', 3],
  ['reply', 12],
  ['readThread', 6],
  ['markUnread', 8],
  ['poll', 3],
  ['vote', 10],
  ['open', 12],
  ['remove', 3],
  ['add', 6],
  ['rename', 2],
  ['offline', 3],
  ['online', 6],
  ['idle', 4],
];
const KINDS = WEIGHTS.flatMap(([kind, weight]) => Array.from({ length: weight }, () => kind));

/** Only the first user, who created the channels, adds, removes, and renames. */
function nextAction(random: () => number, step: number, isOwner: boolean): Action | 'idle' {
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
    case 'react':
      return { do: 'react', nth: Math.floor(random() * 20), emoji: pick(['👍', '🎉', '👀']), isAdded: random() < 0.7 };
    case 'pin':
      return { do: 'pin', nth: Math.floor(random() * 20), isPinned: random() < 0.6 };
    case 'reply': {
      const content = `#${step} reply`;
      return { do: 'reply', nth: Math.floor(random() * 20), content, alsoInConversation: random() < 0.3 };
    }
    case 'markUnread':
      return { do: 'markUnread', nth: Math.floor(random() * 20) };
    case 'poll':
      return { do: 'poll', conversation, question: `#${step} poll` };
    case 'vote':
      return { do: 'vote', nth: Math.floor(random() * 3), option: pick(['1', '2', '3', null]) };
    case 'readThread':
      return { do: 'readThread', nth: Math.floor(random() * 20) };
    case 'open':
      return { do: 'open', conversation: random() < 0.1 ? null : conversation };
    case 'add':
    case 'remove':
      return isOwner ? { do: kind, conversation, userId: pick(clients.slice(1)).user.id } : 'idle';
    case 'rename':
      return isOwner ? { do: 'rename', conversation, title: `name ${step}` } : 'idle';
    case 'offline':
    case 'online':
      return { do: kind };
    default:
      return 'idle';
  }
}

/** The kinds of action that were attempted, and those that the server accepted at least once. */
const attemptedKinds = new Set<string>();
const acceptedKinds = new Set<string>();

async function act(client: ChatClient, action: Action): Promise<void> {
  attemptedKinds.add(action.do);
  const { error } = await client.act(action);
  if (error === undefined) acceptedKinds.add(action.do);
}

async function actRandomly(client: ChatClient, random: () => number, steps: number, firstStep: number): Promise<void> {
  for (let step = firstStep; step < firstStep + steps; step += 1) {
    const action = nextAction(random, step, client === clients[0]);
    // Not awaited, because sending retries until the network is back.
    if (action === 'idle') await delay(random() * 50);
    else if (action.do === 'send' || action.do === 'reply') void act(client, action).catch(() => undefined);
    else await act(client, action);
    await delay(random() * 40);
  }
  await client.act({ do: 'online' });
}

type Failure = { name: string; cause(random: () => number): Promise<void> };

const redisProxies = () => pods.proxiesOf('chat').map((proxy) => proxy.to('redis'));
const temporarily = async (apply: () => void, random: () => number) => {
  apply();
  await delay(500 + random() * 3_000);
  for (const proxy of redisProxies()) proxy.restore();
};
const kill = (index: number) => pods.cluster.pods('chat')[index]?.process.kill('SIGKILL');

const FAILURES: readonly Failure[] = [
  { name: 'nothing', cause: async () => undefined },
  { name: 'one pod is killed', cause: async (random) => void kill(random() < 0.5 ? 0 : 1) },
  {
    name: 'both pods lose Redis',
    cause: (random) =>
      temporarily(() => {
        for (const proxy of redisProxies()) proxy.cut();
      }, random),
  },
  {
    name: 'Redis stops responding to one pod',
    cause: (random) => temporarily(() => redisProxies()[random() < 0.5 ? 0 : 1]?.stall(), random),
  },
  {
    name: 'both pods are killed',
    cause: async () => {
      kill(0);
      kill(1);
    },
  },
];

/** The differences between browsers and server that remain after the settling time. */
async function findDifferences(): Promise<string[]> {
  const deadline = performance.now() + SETTLE_MS;
  for (;;) {
    const differences = await Promise.all(
      clients.map(async ({ user, act }) => {
        const { result: displayed } = await act({ do: 'show' });
        const serverState = await fetchServerState(user, displayed.open).catch((error: unknown) => String(error));
        if (typeof serverState === 'string') return [`${user.name}: ${serverState}`];
        return listDifferences(displayed, serverState).map((item) => `${user.name}: ${item}`);
      }),
    );
    if (differences.flat().length === 0 || performance.now() > deadline) return differences.flat();
    await delay(250);
  }
}

it(`random chat: every browser shows the server's state after all failures (CHAT_FUZZ_SEED="${SEED} ${STEPS}")`, async () => {
  const random = createSeededRandom(SEED);
  const stepsPerRound = Math.ceil(STEPS / ROUNDS / clients.length);
  for (let round = 0; round < ROUNDS; round += 1) {
    const failure = FAILURES[round % FAILURES.length];
    const firstStep = round * stepsPerRound * clients.length;
    await Promise.all([
      ...clients.map((client, index) =>
        actRandomly(client, createSeededRandom(random() * 2 ** 31), stepsPerRound, firstStep + index * stepsPerRound),
      ),
      delay(random() * 1_000).then(() => failure?.cause(random)),
    ]);
    expect({ round, failure: failure?.name, differences: (await findDifferences()).slice(0, 12) }).toEqual({
      round,
      failure: failure?.name,
      differences: [],
    });
  }
  expect([...acceptedKinds].sort()).toEqual([...attemptedKinds].sort());
  const { result } = (await clients[0]?.act({ do: 'show' })) ?? {};
  expect(result?.conversations.reduce((sum, { lastSeq }) => sum + lastSeq, 0)).toBeGreaterThan(STEPS / 5);
});
