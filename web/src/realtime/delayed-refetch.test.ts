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

const advance = (ms: number) => jest.advanceTimersByTimeAsync(ms);

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
  cache = new QueryCache();
  requests = [];
  const refetch = createRefetch(cache, {
    // Refetches only observed keys, as SWR does.
    revalidate: async (key) => (cache.isObserved(key) ? request(key) : success),
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
  await advance(60_000);
  requests = [];
});

afterEach(() => {
  stop();
  jest.useRealTimers();
});

const observe = (...keys: string[]) => keys.map((key) => cache.observe(key));

it('a response of a different service is refetched once more, because it may predate the copied change', async () => {
  observe(DOCUMENTS, BOARD, `/projects/${PROJECT}`, `/users/${PERSON}`);
  emitChange({ resource: 'project', changed: ['teamMembers'] });
  await advance(9_000);
  expect(requests.sort()).toEqual([DOCUMENTS, `/projects/${PROJECT}`, BOARD].sort());
  requests = [];
  await advance(10 * LATEST_MS);
  expect(requests).toEqual([DOCUMENTS]);
  requests = [];
  emitChange({ resource: 'user', id: PERSON, changed: ['firstName'] });
  await advance(10 * LATEST_MS);
  expect(requests.filter((key) => key === BOARD)).toHaveLength(2);
  expect(requests.filter((key) => key === DOCUMENTS)).toHaveLength(2);
  expect(requests.filter((key) => key === `/users/${PERSON}`)).toHaveLength(1);
});

it('a second refetch is superseded by a later change and by a sufficiently late request', async () => {
  observe(DOCUMENTS);
  emitChange({ resource: 'project', changed: ['teamMembers'] });
  await advance(8_000);
  emitChange({ resource: 'project', changed: ['teamMembers'] });
  await advance(9_000);
  expect(requests).toHaveLength(2);
  await advance(10 * LATEST_MS);
  expect(requests).toHaveLength(3);
  jest.spyOn(Math, 'random').mockReturnValue(0);
  emitChange({ resource: 'project', changed: ['projectManager'] });
  await advance(8_000);
  await Promise.all([request(DOCUMENTS), advance(10 * LATEST_MS)]);
  expect(requests).toHaveLength(5);
  jest.restoreAllMocks();
});

it('a second refetch of an unobserved key is left to the next observer', async () => {
  const [release] = observe(DOCUMENTS);
  emitChange({ resource: 'project', changed: ['teamMembers'] });
  await advance(1_000);
  release?.();
  expect(cache.dataAge(DOCUMENTS)).toBeLessThan(2_000);
  await advance(10 * LATEST_MS);
  expect(requests).toEqual([DOCUMENTS]);
  expect(cache.dataAge(DOCUMENTS)).toBe(Number.POSITIVE_INFINITY);
});
