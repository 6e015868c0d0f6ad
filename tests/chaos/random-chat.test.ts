import { setTimeout as pause } from 'node:timers/promises';
import { createSeededRandom } from '@atrium/test-kit/seeded-random';
import { type Lines, layLines } from '@atrium/test-kit/system/lines';
import { type Cluster, EVERY_PROCESS, startCluster } from '@atrium/test-kit/system/start-cluster';
import { openBox } from '@atrium/test-kit/system/start-system';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { type Client, demand, join, setUp } from '../flows/workspace.ts';
import type { Action } from './random-chat/actions.ts';
import { differences, keptFor, openSeat, type Seat } from './random-chat/seat.ts';

/**
 * Four people at Team Chat, two pods of it: they do whatever comes to their minds while pods are killed, Redis goes and lines are lost, and
 * then every browser shows what the server has. `CHAT_FUZZ_SEED="<seed> <steps>"` repeats a run, or makes a longer one.
 */
const [SEED = 20_261_125, STEPS = 1_200] = (process.env.CHAT_FUZZ_SEED ?? '').split(' ').filter(Boolean).map(Number);
const ROUNDS = 6;
/** A read that was lost is doubted for twelve seconds. */
const SETTLE_MS = 45_000;
const PLENTY = {
  RATE_LIMIT_PER_USER: '1000000',
  MAX_GROUPS_PER_USER_PER_DAY: '0',
  RATE_LIMIT_PER_IP: '1000000',
  MAX_SOCKET_EVENTS_PER_MINUTE: '1000000',
};

let cluster: Cluster;
let lines: Lines[];
let seats: Seat[] = [];
let channels: string[];
let clear: () => Promise<void>;

beforeAll(async () => {
  const watched = openBox({ env: PLENTY });
  clear = async () => {
    await watched.box.guard.close();
    watched.box.ports.release();
  };
  cluster = await startCluster(watched);
  const others = EVERY_PROCESS.filter((name) => name !== 'chat');
  await Promise.all(others.map((name) => cluster.addPod(name)));
  lines = await Promise.all([1, 2].map(() => layLines('chat', cluster.envOf('chat'))));
  await Promise.all(lines.map(({ env }, index) => cluster.addPod('chat', { title: String(index), env })));
  const admin = await setUp(cluster.url);
  const people: Client[] = [admin];
  for (const first of ['Lena', 'Jonas', 'Priya'])
    people.push(await join(cluster.url, admin, { first, role: 'project_manager' }));
  channels = await Promise.all(['one', 'two', 'three'].map((title) => aChannel(admin, title, people)));
  seats = await Promise.all(people.map((person) => openSeat(cluster.url, person)));
}, 600_000);

afterAll(async () => {
  await Promise.all(seats.map(({ end }) => end()));
  await cluster?.stop();
  await Promise.all((lines ?? []).map(({ close }) => close()));
  await clear?.();
}, 90_000);

async function aChannel(admin: Client, title: string, people: readonly Client[]): Promise<string> {
  const body = { type: 'group', title, participants: people.map(({ id }) => id) };
  return (await demand(admin.call<{ _id: string }>('POST', '/chat/conversations', body), 201))._id;
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

/** What somebody does next; only the first person, who made the channels, adds, removes and renames. */
function nextAction(chance: () => number, step: number, isOwner: boolean): Action | 'rest' {
  const pick = <T>(some: readonly T[]): T => some[Math.floor(chance() * some.length)] as T;
  const kind = pick(KINDS);
  const conversation = pick(channels);
  switch (kind) {
    case 'send':
      return { do: 'send', conversation, content: `#${step} ${'word '.repeat(1 + Math.floor(chance() * 8)).trim()}` };
    case 'edit':
      return { do: 'edit', nth: Math.floor(chance() * 20), content: `#${step} edited` };
    case 'delete':
      return { do: 'delete', nth: Math.floor(chance() * 20) };
    case 'open':
      return { do: 'open', conversation: chance() < 0.1 ? null : conversation };
    case 'add':
    case 'remove':
      return isOwner ? { do: kind, conversation, person: pick(seats.slice(1)).person.id } : 'rest';
    case 'rename':
      return isOwner ? { do: 'rename', conversation, title: `name ${step}` } : 'rest';
    case 'offline':
    case 'online':
      return { do: kind };
    default:
      return 'rest';
  }
}

/** Of what kinds somebody tried something, and of what kinds the server did not refuse all. */
const [tried, done] = [new Set<string>(), new Set<string>()];

async function act(seat: Seat, action: Action): Promise<void> {
  tried.add(action.do);
  const { refused } = await seat.act(action);
  if (refused === undefined) done.add(action.do);
}

/** Does so many things, one after the other, at a person's pace of a machine. */
async function work(seat: Seat, chance: () => number, steps: number, from: number): Promise<void> {
  for (let step = from; step < from + steps; step += 1) {
    const action = nextAction(chance, step, seat === seats[0]);
    // Who has no network presses "Send" in vain until it is there again.
    if (action === 'rest') await pause(chance() * 50);
    else if (action.do === 'send') void act(seat, action).catch(() => undefined);
    else await act(seat, action);
    await pause(chance() * 40);
  }
  await seat.act({ do: 'online' });
}

type Trouble = { name: string; make(chance: () => number): Promise<void> };

const redisLines = () => lines.map((some) => some.to('redis'));
const forAWhile = async (spoil: () => void, chance: () => number) => {
  spoil();
  await pause(500 + chance() * 3_000);
  for (const line of redisLines()) line.mend();
};
const kill = (index: number) => cluster.pods('chat')[index]?.part.kill('SIGKILL');

const TROUBLES: readonly Trouble[] = [
  { name: 'nothing', make: async () => undefined },
  { name: 'one pod is killed', make: async (chance) => void kill(chance() < 0.5 ? 0 : 1) },
  {
    name: 'Redis is cut off from both',
    make: (chance) =>
      forAWhile(() => {
        for (const one of redisLines()) one.cut();
      }, chance),
  },
  {
    name: 'Redis says nothing any more to one',
    make: (chance) => forAWhile(() => redisLines()[chance() < 0.5 ? 0 : 1]?.stall(), chance),
  },
  {
    name: 'both pods are killed',
    make: async () => {
      kill(0);
      kill(1);
    },
  },
];

/** What browsers do not show as the server has it, once they have had time to. */
async function whatDiffers(): Promise<string[]> {
  const until = performance.now() + SETTLE_MS;
  for (;;) {
    const found = await Promise.all(
      seats.map(async ({ person, act }) => {
        const { shown } = await act({ do: 'show' });
        const kept = await keptFor(person, shown.open).catch((error: unknown) => String(error));
        if (typeof kept === 'string') return [`${person.name}: ${kept}`];
        return differences(shown, kept).map((one) => `${person.name}: ${one}`);
      }),
    );
    if (found.flat().length === 0 || performance.now() > until) return found.flat();
    await pause(250);
  }
}

it(`every browser shows what the server has, whatever has happened (CHAT_FUZZ_SEED="${SEED} ${STEPS}")`, async () => {
  const chance = createSeededRandom(SEED);
  const perRound = Math.ceil(STEPS / ROUNDS / seats.length);
  for (let round = 0; round < ROUNDS; round += 1) {
    const trouble = TROUBLES[round % TROUBLES.length];
    const from = round * perRound * seats.length;
    await Promise.all([
      ...seats.map((seat, index) =>
        work(seat, createSeededRandom(chance() * 2 ** 31), perRound, from + index * perRound),
      ),
      pause(chance() * 1_000).then(() => trouble?.make(chance)),
    ]);
    expect({ round, trouble: trouble?.name, differs: (await whatDiffers()).slice(0, 12) }).toEqual({
      round,
      trouble: trouble?.name,
      differs: [],
    });
  }
  expect([...done].sort()).toEqual([...tried].sort());
  const { shown } = (await seats[0]?.act({ do: 'show' })) ?? {};
  expect(shown?.conversations.reduce((sum, { lastSeq }) => sum + lastSeq, 0)).toBeGreaterThan(STEPS / 5);
}, 600_000);
