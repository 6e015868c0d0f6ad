import type { Change } from '@atrium/proto-events/realtime';
import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { QueryCache } from '#lib/query/query-cache.ts';
import { runLiveSyncDisconnected } from '../../test/run-live-sync-disconnected.ts';
import { createRefetch } from './refetch.ts';

const PROJECT = '65f0c0ffee0000000000000a';
const PERSON = '65f0c0ffee0000000000000b';
const DOCUMENTS = '/documents?limit=12';
const BOARD = `/tasks/project/${PROJECT}`;
/** The maximum delay of the second request. */
const LATEST_MS = 15_000;

let cache: QueryCache;
let requests: string[];
let emitChange: (change: Partial<Change>) => void;
let stop: () => void;

const pass = (ms: number) => jest.advanceTimersByTimeAsync(ms);

const success = { hasFailed: false, retryAfterMs: 0 };

async function request(key: string) {
  requests.push(key);
  const { finish } = cache.startRequest(key);
  await new Promise((resolve) => setTimeout(resolve, 50));
  cache.set(key, { data: { data: [{ _id: 'one', project: PROJECT, assignedTo: { _id: PERSON } }], total: 1 } });
  finish(true);
  return success;
}

beforeEach(async () => {
  jest.useFakeTimers();
  [cache, requests] = [new QueryCache(), []];
  const refetch = createRefetch(cache, {
    // Like SWR, which refetches only observed keys.
    refetchKey: async (key) => (cache.isObserved(key) ? request(key) : success),
    fetchItems: async (path) => ({ items: null, ...(await request(path)) }),
    show: () => undefined,
    isVisible: () => true,
    onceVisible: () => undefined,
  });
  const listeners = new Map<string, (payload: unknown) => void>();
  stop = runLiveSyncDisconnected({ refetch, cache, on: (name, listen) => listeners.set(name, listen) });
  emitChange = (change) =>
    listeners.get('changed')?.({ changes: [{ action: 'updated', version: 2, id: PROJECT, ...change }] });
  void Promise.all([DOCUMENTS, BOARD, `/projects/${PROJECT}`, `/users/${PERSON}`].map(request));
  await pass(60_000);
  requests = [];
});

afterEach(() => {
  stop();
  jest.useRealTimers();
});

const observe = (...keys: string[]) => keys.map((key) => cache.observe(key));

it('refetches once more what depends on another service, whose response may precede its copy of the change', async () => {
  observe(DOCUMENTS, BOARD, `/projects/${PROJECT}`, `/users/${PERSON}`);
  emitChange({ resource: 'project', changed: ['teamMembers'] });
  await pass(9_000);
  expect(requests.sort()).toEqual([DOCUMENTS, `/projects/${PROJECT}`, BOARD].sort());
  requests = [];
  await pass(10 * LATEST_MS);
  expect(requests).toEqual([DOCUMENTS]);
  requests = [];
  emitChange({ resource: 'user', id: PERSON, changed: ['firstName'] });
  await pass(10 * LATEST_MS);
  expect(requests.filter((key) => key === BOARD)).toHaveLength(2);
  expect(requests.filter((key) => key === DOCUMENTS)).toHaveLength(2);
  expect(requests.filter((key) => key === `/users/${PERSON}`)).toHaveLength(1);
});

it('is superseded by another change and by a sufficiently late request', async () => {
  observe(DOCUMENTS);
  emitChange({ resource: 'project', changed: ['teamMembers'] });
  await pass(8_000);
  emitChange({ resource: 'project', changed: ['teamMembers'] });
  await pass(9_000);
  expect(requests).toHaveLength(2);
  await pass(10 * LATEST_MS);
  expect(requests).toHaveLength(3);
  jest.spyOn(Math, 'random').mockReturnValue(0);
  emitChange({ resource: 'project', changed: ['projectManager'] });
  await pass(8_000);
  await Promise.all([request(DOCUMENTS), pass(10 * LATEST_MS)]);
  expect(requests).toHaveLength(5);
  jest.restoreAllMocks();
});

it('requests nothing for a key that is no longer observed, and leaves it to the next observer', async () => {
  const [release] = observe(DOCUMENTS);
  emitChange({ resource: 'project', changed: ['teamMembers'] });
  await pass(1_000);
  release?.();
  expect(cache.dataAge(DOCUMENTS)).toBeLessThan(2_000);
  await pass(10 * LATEST_MS);
  expect(requests).toEqual([DOCUMENTS]);
  expect(cache.dataAge(DOCUMENTS)).toBe(Number.POSITIVE_INFINITY);
});
