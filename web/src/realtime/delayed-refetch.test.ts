import type { Change } from '@atrium/proto-events/realtime';
import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { followUnconnected } from '../../test/follow-unconnected.ts';
import { QueryCache } from '../lib/query/query-cache.ts';
import { createRefetch } from './refetch.ts';

const PROJECT = '65f0c0ffee0000000000000a';
const PERSON = '65f0c0ffee0000000000000b';
const DOCUMENTS = '/documents?limit=12';
const BOARD = `/tasks/project/${PROJECT}`;
/** The maximum delay of the second request. */
const LATEST_MS = 15_000;

let answers: QueryCache;
let asked: string[];
let told: (change: Partial<Change>) => void;
let stop: () => void;

const pass = (ms: number) => jest.advanceTimersByTimeAsync(ms);

const fine = { hasFailed: false, retryAfterMs: 0 };

async function ask(key: string) {
  asked.push(key);
  const { finish } = answers.startRequest(key);
  await new Promise((resolve) => setTimeout(resolve, 50));
  answers.set(key, { data: { data: [{ _id: 'one', project: PROJECT, assignedTo: { _id: PERSON } }], total: 1 } });
  finish(true);
  return fine;
}

beforeEach(async () => {
  jest.useFakeTimers();
  [answers, asked] = [new QueryCache(), []];
  const refresh = createRefetch(answers, {
    // Like SWR, which refetches only observed keys.
    refetchKey: async (key) => (answers.isObserved(key) ? ask(key) : fine),
    fetchItems: async (path) => ({ items: null, ...(await ask(path)) }),
    show: () => undefined,
    isVisible: () => true,
    onceVisible: () => undefined,
  });
  const listeners = new Map<string, (payload: unknown) => void>();
  stop = followUnconnected({ refetch: refresh, cache: answers, on: (name, listen) => listeners.set(name, listen) });
  told = (change) =>
    listeners.get('changed')?.({ changes: [{ action: 'updated', version: 2, id: PROJECT, ...change }] });
  void Promise.all([DOCUMENTS, BOARD, `/projects/${PROJECT}`, `/users/${PERSON}`].map(ask));
  await pass(60_000);
  asked = [];
});

afterEach(() => {
  stop();
  jest.useRealTimers();
});

const hold = (...keys: string[]) => keys.map((key) => answers.observe(key));

it('refetches once more what depends on another service, whose response may precede its copy of the change', async () => {
  hold(DOCUMENTS, BOARD, `/projects/${PROJECT}`, `/users/${PERSON}`);
  told({ resource: 'project', changed: ['teamMembers'] });
  await pass(9_000);
  expect(asked.sort()).toEqual([DOCUMENTS, `/projects/${PROJECT}`, BOARD].sort());
  asked = [];
  await pass(10 * LATEST_MS);
  expect(asked).toEqual([DOCUMENTS]);
  asked = [];
  told({ resource: 'user', id: PERSON, changed: ['firstName'] });
  await pass(10 * LATEST_MS);
  expect(asked.filter((key) => key === BOARD)).toHaveLength(2);
  expect(asked.filter((key) => key === DOCUMENTS)).toHaveLength(2);
  expect(asked.filter((key) => key === `/users/${PERSON}`)).toHaveLength(1);
});

it('is superseded by another change and by a sufficiently late request', async () => {
  hold(DOCUMENTS);
  told({ resource: 'project', changed: ['teamMembers'] });
  await pass(8_000);
  told({ resource: 'project', changed: ['teamMembers'] });
  await pass(9_000);
  expect(asked).toHaveLength(2);
  await pass(10 * LATEST_MS);
  expect(asked).toHaveLength(3);
  jest.spyOn(Math, 'random').mockReturnValue(0);
  told({ resource: 'project', changed: ['manager'] });
  await pass(8_000);
  await Promise.all([ask(DOCUMENTS), pass(10 * LATEST_MS)]);
  expect(asked).toHaveLength(5);
  jest.restoreAllMocks();
});

it('requests nothing for a key that is no longer observed, and leaves it to the next observer', async () => {
  const [release] = hold(DOCUMENTS);
  told({ resource: 'project', changed: ['teamMembers'] });
  await pass(1_000);
  release?.();
  expect(answers.dataAge(DOCUMENTS)).toBeLessThan(2_000);
  await pass(10 * LATEST_MS);
  expect(asked).toEqual([DOCUMENTS]);
  expect(answers.dataAge(DOCUMENTS)).toBe(Number.POSITIVE_INFINITY);
});
