import type { Change } from '@atrium/proto-events/realtime';
import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { act, cleanup, render } from '@testing-library/react';
import fc from 'fast-check';
import useSWR, { SWRConfig } from 'swr';
import { networkError } from '#lib/api/api-error.ts';
import { QueryCache } from '#lib/query/query-cache.ts';
import { swrConfig } from '#lib/query/swr-config.ts';
import { buildUser } from '../../test/build-user.ts';
import { createServer, PROJECT, project, simplify, steps, task, user, VIEWER, values } from '../../test/list-server.ts';
import type { Item } from './items.ts';
import { applyChanges, createContext } from './live-changes.ts';
import { withCreated, withoutDeleted, withSaved } from './own-writes.ts';

const ME = { ...buildUser('e'), role: VIEWER.role };
type Suite = { resource: typeof project; keys: readonly string[] };
const SUITES: readonly Suite[] = [
  {
    resource: project,
    keys: [
      '/projects?limit=4&people=6',
      '/projects?limit=100&people=6&status=on-hold',
      '/projects?limit=3&people=6&page=2',
    ],
  },
  {
    resource: task,
    keys: ['todo', 'done'].map((status) => `/tasks/project/${PROJECT}?status=${status}&sort=priority&limit=4`),
  },
  { resource: user, keys: ['/users?limit=4', '/users?limit=100&search=anna&status=active'] },
];
/** Changes arrive in their order, this long after the write; the response of an own write arrives earlier. */
const DELIVERY_MS = 300;
const MAX_FAILING_CALLS = 20;
/** After this time, all failed requests have been repeated. */
const SETTLED_MS = 10 * 60_000;

beforeEach(() => void jest.useFakeTimers());
afterEach(() => {
  cleanup();
  jest.useRealTimers();
});

const delay = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/** How a request goes: when the server reads the response, when it arrives, and whether it fails. */
type Call = { readMs: number; arriveMs: number; isFailing: boolean };
const calls = fc.array(
  fc.record({
    readMs: fc.integer({ min: 0, max: 600 }),
    arriveMs: fc.integer({ min: 0, max: 600 }),
    isFailing: fc.integer({ min: 0, max: 5 }).map((number) => number === 0),
  }),
  { minLength: 1, maxLength: 20 },
);

/** What happens next: a write by another user or by this one, a request by hand, or a screen that is left. */
const events = fc.array(
  fc.record({
    kind: fc.constantFrom('write', 'write', 'write', 'own-write', 'refetch', 'toggle'),
    afterMs: fc.integer({ min: 0, max: 900 }),
    isRepeated: fc.boolean(),
    nthKey: fc.nat(2),
  }),
  { maxLength: 15 },
);

function createPage(keys: readonly string[], server: ReturnType<typeof createServer>, plan: readonly Call[]) {
  const cache = new QueryCache();
  const mutators = new Map<string, () => void>();
  let callCount = 0;
  async function request(key: string): Promise<unknown> {
    const { readMs, arriveMs, isFailing } = plan[callCount % plan.length] ?? {
      readMs: 0,
      arriveMs: 0,
      isFailing: false,
    };
    callCount += 1;
    await delay(readMs);
    const response = server.respond(key);
    await delay(arriveMs);
    if (isFailing && callCount < MAX_FAILING_CALLS) throw networkError();
    return response;
  }
  function List({ path }: { path: string }) {
    const { data, mutate } = useSWR(path, request);
    mutators.set(path, () => void mutate());
    return <p>{data ? 'shown' : 'loading'}</p>;
  }
  const shown = new Set(keys);
  const renderPage = () => (
    <SWRConfig value={{ ...swrConfig, provider: () => cache }}>
      {[...shown].map((path) => (
        <List key={path} path={path} />
      ))}
    </SWRConfig>
  );
  const { rerender } = render(renderPage());
  const toggle = (path: string) => {
    if (!shown.delete(path)) shown.add(path);
    rerender(renderPage());
  };
  return {
    cache,
    refetch: (path: string) => mutators.get(path)?.(),
    toggle,
    showAll: () => keys.filter((key) => !shown.has(key)).forEach(toggle),
  };
}

/** Sends the response of an own write to the cache, as `useWrite` does. */
function applyOwn(cache: QueryCache, change: Change): void {
  const context = createContext(cache, ME);
  const { resource } = change;
  const item = change.item as Item;
  const edit =
    change.action === 'deleted'
      ? withoutDeleted(resource, ({ _id }) => _id === change.id)
      : (change.action === 'created' ? withCreated : withSaved)(resource, item, context);
  cache.edit(edit, { isOptimistic: true });
}

it.each(SUITES)(
  'lists show in the end what the server responds, whatever happens during requests: $keys',
  async ({ resource, keys }) => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(values, { maxLength: 12 }),
        steps,
        calls,
        events,
        async (initial, writes, plan, plannedEvents) => {
          cleanup();
          const server = createServer(resource, initial);
          const page = createPage(keys, server, plan);
          const remaining = [...writes];
          for (const { kind, afterMs, isRepeated, nthKey } of plannedEvents) {
            const key = keys[nthKey % keys.length] ?? '';
            await act(() => jest.advanceTimersByTimeAsync(afterMs));
            act(() => {
              if (kind === 'refetch') return page.refetch(key);
              if (kind === 'toggle') return page.toggle(key);
              const step = remaining.pop();
              const change = step && server.change(step);
              if (!change) return;
              const deliver = () => applyChanges(page.cache, { changes: [change] }, ME);
              if (kind === 'own-write') setTimeout(() => applyOwn(page.cache, change), afterMs % DELIVERY_MS);
              setTimeout(deliver, DELIVERY_MS);
              if (isRepeated) setTimeout(deliver, 2 * DELIVERY_MS);
            });
          }
          act(() => page.showAll());
          await act(() => jest.advanceTimersByTimeAsync(SETTLED_MS));
          for (const key of keys)
            expect([key, simplify(page.cache.get(key)?.data)]).toEqual([key, simplify(server.respond(key))]);
        },
      ),
      { numRuns: 50 },
    );
  },
);
