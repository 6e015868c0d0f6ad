import { insertPeople } from '@atrium/proto-events/insert-people';
import type { User } from '@atrium/proto-events/people';
import type { Change, Changes, LiveServerEvents } from '@atrium/proto-events/realtime';
import { findResponse } from '@atrium/proto-events/responses/responses';
import { waitFor } from '@atrium/test-kit/wait-for';
import { QueryCache } from '@atrium/web/lib/query/query-cache';
import { applyChanges, selectTags } from '@atrium/web/realtime/live-changes';
import type { Client } from '../workspace/workspace.ts';
import { listDifferences } from './comparable.ts';
import { connect } from './marker.ts';

/** How the web app would show a response after a step: from the changes, or by requesting it again. */
export type Outcome = { key: string; kind: 'stale' | 'changed' | 'unchanged' | 'unavailable'; differences: string[] };

/** A tab of the web app, without screens: its cache, and a socket with the tags of all of its responses. */
export type Browser = {
  name: string;
  /** Changes since the last `refresh`. */
  changes: () => readonly Change[];
  /** Compares all responses with fresh ones. */
  compare(): Promise<Outcome[]>;
  /** Requests responses that are stale or differ, as the web app does before the next step. */
  refresh(): void;
  close(): void;
};

const PROFILE = '/users/profile';
/** What a user can read there depends on their department, so the web app requests it again when theirs changes. */
const DEPARTMENT_PATHS = ['/documents', '/meetings/rooms'];

export async function openBrowser(
  url: string,
  name: string,
  client: Client,
  keys: readonly string[],
): Promise<Browser> {
  const cache = new QueryCache();
  cache.show = (key, data) => void cache.set(key, { data });
  const staleKeys = new Set<string>();
  const differing = new Set<string>();
  cache.onStale((key) => staleKeys.add(key));
  let received: Change[] = [];
  const fresh = new Map<string, unknown>();
  const shown = new Map<string, unknown>();
  const user = () => cache.get(PROFILE)?.data as User;

  const readAll = async () => {
    for (const [key, data] of await mapConcurrently(keys, async (key) => [key, await read(client, key)] as const))
      fresh.set(key, data);
  };
  const refresh = () => {
    for (const key of keys) {
      const data = fresh.get(key);
      if (data === undefined) cache.delete(key);
      else if (staleKeys.has(key) || differing.has(key) || cache.get(key)?.data === undefined)
        cache.set(key, { data: cache.startRequest(key).succeed(data) });
      shown.set(key, cache.get(key)?.data);
    }
    staleKeys.clear();
    differing.clear();
    received = [];
  };
  /** Counts arrive at most once per second. */
  const waitForCounts = async (key: string) => {
    const counts = await read(client, key);
    const isEqual = () => listDifferences(key, cache.get(key)?.data, counts).length === 0;
    await waitFor(isEqual, { description: key, timeoutMs: COUNTS_TIMEOUT_MS }).catch(() => undefined);
  };
  await readAll();
  refresh();

  const socket = await connect(url, client, selectTags(keys, user()).tags);
  const failures: string[] = [];
  const onChanged: LiveServerEvents['changed'] = (changes) => {
    received.push(...changes.changes);
    applyToCache(cache, changes, user());
  };
  socket.on('changed', onChanged);
  for (const event of ['resync', 'disconnect'])
    socket.on(event, (reason) => failures.push(`The socket of ${name} received ${event}: ${reason}`));

  return {
    name,
    changes: () => received,
    async compare() {
      if (failures.length > 0) throw new Error(failures.join('\n'));
      for (const key of keys.filter(showsCounts)) await waitForCounts(key);
      await readAll();
      return keys.map((key) => {
        const before = shown.get(key);
        const cached = cache.get(key)?.data;
        if (before === undefined || staleKeys.has(key))
          return { key, kind: before === undefined ? 'unavailable' : 'stale', differences: [] };
        const differences = listDifferences(key, cached, fresh.get(key));
        if (differences.length > 0) differing.add(key);
        return { key, kind: cached === before ? 'unchanged' : 'changed', differences };
      });
    },
    refresh,
    close: () => void socket.off('disconnect').disconnect(),
  };
}

const COUNTS_TIMEOUT_MS = 5_000;

function showsCounts(key: string): boolean {
  const definition = findResponse(key)?.definition;
  return definition?.kind === 'item' && definition.resource.endsWith('-counts');
}

function applyToCache(cache: QueryCache, changes: Changes, user: User): void {
  applyChanges(cache, changes, user);
  const isOwnDepartment = ({ resource, id, changed }: Change) =>
    resource === 'user' && id === user._id && changed?.includes('department') !== false;
  if (!changes.changes.some(isOwnDepartment)) return;
  for (const key of [...cache.keys()]) if (DEPARTMENT_PATHS.some((path) => key.startsWith(path))) cache.markStale(key);
}

/** Returns undefined if the user cannot see the resource, or it does not exist. */
async function read(client: Client, key: string): Promise<unknown> {
  const json = key.indexOf('?{');
  const response =
    json < 0 ? client.call('GET', key) : client.call('POST', key.slice(0, json), JSON.parse(key.slice(json + 1)));
  const { status, body } = await response;
  if (status === 200) return insertPeople(body);
  if (status === 403 || status === 404) return undefined;
  throw new Error(`${key}: ${status} ${JSON.stringify(body)}`);
}

const MAX_CONCURRENT_REQUESTS = 8;

async function mapConcurrently<T, Result>(values: readonly T[], map: (value: T) => Promise<Result>): Promise<Result[]> {
  const results: Result[] = [];
  let next = 0;
  const work = async () => {
    while (next < values.length) {
      const index = next;
      next += 1;
      results[index] = await map(values[index] as T);
    }
  };
  await Promise.all(Array.from({ length: MAX_CONCURRENT_REQUESTS }, work));
  return results;
}
