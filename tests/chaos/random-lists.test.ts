import { setTimeout as delay } from 'node:timers/promises';
import { createSeededRandom } from '@atrium/test-kit/seeded-random';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { createWorkspace, type Workspace } from '../live/workspace-state.ts';
import { HIGH_LIMITS } from '../workspace/builders.ts';
import { type Action, type Figures, WRITES } from './random-lists/actions.ts';
import { createActions, createApiChanges, createWrite } from './random-lists/choose-writes.ts';
import { createFailures } from './random-lists/failures.ts';
import { type ListClient, startListClients } from './random-lists/list-clients.ts';
import { type PairsOfPods, startPairsOfPods } from './start-pairs-of-pods.ts';

/**
 * Eight browsers show boards, the tracker, lists, and the dashboard, while their users and API clients change at random
 * what they show, and pods and connections fail. All screens must then equal fresh responses.
 * `LISTS_FUZZ_SEED="<seed> <steps>"` repeats a run or makes a longer one.
 */
const [SEED = 20_261_129, STEPS = 224] = (process.env.LISTS_FUZZ_SEED ?? '').split(' ').filter(Boolean).map(Number);
const STEPS_PER_ROUND = 4;
/** Longer than a failed request is repeated after, which is ten seconds with jitter. */
const SETTLE_MS = 40_000;
const LIMITS = { ...HIGH_LIMITS, MAX_SOCKET_EVENTS_PER_MINUTE: '1000000' };
/** Of the steps of `tests/live`; the last ones of a short run may not have come. */
const MIN_KINDS_OF_API_CHANGES = 20;
const MAX_ATTEMPTS = 3;
const MAX_SHOWN_DIFFERENCES = 12;
/** All screens show this many items at the end. */
const MIN_ITEMS = 300;
/** Includes requests after failures, when a pod of chat has lost what browsers missed. */
const MAX_REQUESTS_PER_PATCH = 0.6;

let pods: PairsOfPods;
let workspace: Workspace;
let clients: ListClient[] = [];

beforeAll(async () => {
  pods = await startPairsOfPods(['chat', 'projects', 'users'], LIMITS);
  workspace = await createWorkspace(pods.cluster.url, SEED);
  clients = await startListClients(workspace);
});

afterAll(async () => {
  await Promise.all(clients.map(({ end }) => end()));
  await pods?.stop();
});

const accepted = new Set<string>();
const acceptedChanges = new Set<string>();

async function act(client: ListClient, action: Action): Promise<void> {
  const { result, error } = await client.act(action);
  if (result.isDone && error === undefined) accepted.add(action.do);
}

async function actRandomly(client: ListClient, next: () => Action, random: () => number): Promise<void> {
  for (let step = 0; step < STEPS_PER_ROUND; step += 1) {
    await act(client, next());
    await delay(random() * 150);
  }
  await client.act({ do: 'online' });
}

/** Changes fail while pods are killed. */
async function changeRandomly(nextChange: ReturnType<typeof createApiChanges>, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const [name, step] = nextChange();
    const isAccepted = await step(workspace).then(
      () => true,
      () => false,
    );
    if (isAccepted) acceptedChanges.add(name);
    await delay(20);
  }
}

/** The differences between browsers and fresh responses that remain after the settling time. */
async function findDifferences(): Promise<string[]> {
  const deadline = performance.now() + SETTLE_MS;
  const compare = async (only?: 'different') => {
    const compared = clients.map(async ({ name, act }) => {
      const { result } = await act({ do: 'compare', ...(only && { only }) });
      return result.differences.map((difference) => `${name}: ${difference}`);
    });
    return (await Promise.all(compared)).flat();
  };
  let isWhole = true;
  for (;;) {
    const differences = await compare(isWhole ? undefined : 'different');
    if (performance.now() > deadline || (isWhole && differences.length === 0)) return differences;
    // What differed is equal now, so everything is compared once more.
    isWhole = differences.length === 0;
    if (!isWhole) await delay(500);
  }
}

async function sumFigures(): Promise<Figures> {
  const sum: Figures = { patched: 0, requested: 0, computed: 0, items: 0 };
  for (const { act } of clients) {
    const { figures } = (await act({ do: 'online' })).result;
    for (const name of Object.keys(sum) as (keyof Figures)[]) sum[name] += figures[name];
  }
  return sum;
}

async function expectNoDifferences(when: object): Promise<void> {
  const differences = (await findDifferences()).slice(0, MAX_SHOWN_DIFFERENCES);
  expect({ ...when, differences }).toEqual({ ...when, differences: [] });
}

/** Makes the kinds of changes that did not come, or were not accepted, while pods failed. */
async function makeMissingWrites(random: () => number): Promise<void> {
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1)
    for (const write of WRITES.filter((each) => !accepted.has(each)))
      for (const client of clients) await act(client, createWrite(write, random, `last ${client.name} ${attempt}`));
}

it(`random lists: every screen equals a fresh load after all failures (LISTS_FUZZ_SEED="${SEED} ${STEPS}")`, async () => {
  const random = createSeededRandom(SEED);
  const createRandom = () => createSeededRandom(random() * 2 ** 31);
  const nextActions = clients.map(({ name }) => createActions(createRandom(), name));
  const nextChange = createApiChanges(createRandom());
  const failures = createFailures(pods);
  const rounds = Math.ceil(STEPS / STEPS_PER_ROUND / clients.length);
  const before = await sumFigures();
  for (let round = 0; round < rounds; round += 1) {
    const failure = failures[round % failures.length];
    const end = new AbortController();
    const changes = changeRandomly(nextChange, end.signal);
    await Promise.all([
      ...clients.map((client, index) => actRandomly(client, nextActions[index] as () => Action, createRandom())),
      delay(random() * 1_000).then(() => failure?.cause(random)),
    ]);
    end.abort();
    await changes;
    await expectNoDifferences({ round, failure: failure?.name });
  }
  await makeMissingWrites(random);
  await expectNoDifferences({ failure: 'nothing' });
  const after = await sumFigures();
  const patched = after.patched - before.patched;
  expect(WRITES.filter((write) => !accepted.has(write))).toEqual([]);
  expect(acceptedChanges.size).toBeGreaterThan(MIN_KINDS_OF_API_CHANGES);
  expect(after.items).toBeGreaterThan(MIN_ITEMS);
  expect(patched).toBeGreaterThan(STEPS);
  expect((after.requested - before.requested) / patched).toBeLessThan(MAX_REQUESTS_PER_PATCH);
});
