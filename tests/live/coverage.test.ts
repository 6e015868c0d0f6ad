import { findResponse, RESPONSES } from '@atrium/proto-events/responses/responses';
import {
  createWatchedContext,
  type System,
  startSystemIn,
  type WatchedContext,
} from '@atrium/test-kit/system/start-system';
import { openStores, type Stores } from '@atrium/test-kit/system/stores';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { HIGH_LIMITS } from '../workspace/builders.ts';
import { type Browser, openBrowser } from './browser.ts';
import { waitUntilSent } from './idle.ts';
import { type Marker, openMarker } from './marker.ts';
import { listRequests } from './requests.ts';
import { type Report, watchSteps } from './watch-steps.ts';
import { createWorkspace, WATCHERS, type Workspace } from './workspace-state.ts';

/*
 * Users with different access show all of their responses, while random changes are made through the API. A response that
 * no change on `/live` made stale must be what a fresh request returns: the rows of FANOUT name the tags of everything
 * that an event affects, and browsers patch items, order, totals, abilities, and people as the services do.
 */

/** Set `LIVE_SEED` to repeat a run. */
const SEED = Number(process.env.LIVE_SEED ?? Date.now() % 1_000_000);

let watched: WatchedContext;
let system: System;
let stores: Stores;
let workspace: Workspace;
let browsers: Browser[];
let marker: Marker;
let report: Report;

beforeAll(async () => {
  watched = createWatchedContext({ env: { ...HIGH_LIMITS, MAX_SOCKET_EVENTS_PER_MINUTE: '100000' } });
  system = await startSystemIn(watched);
  stores = await openStores(system, watched.context);
  workspace = await createWorkspace(system.url, SEED);
  marker = await openMarker(system.url, workspace.users.marker);
  await waitUntilSent(stores, marker);
  browsers = await Promise.all(
    WATCHERS.map((name) => openBrowser(system.url, name, workspace.users[name], listRequests(workspace, name))),
  );
  report = await watchSteps(workspace, SEED, { browsers, marker, stores }).catch((error: unknown) => {
    throw new Error(`Failed with LIVE_SEED=${SEED}`, { cause: error });
  });
});
afterAll(async () => {
  marker?.close();
  for (const browser of browsers ?? []) browser.close();
  await stores?.close();
  try {
    await system?.stop();
  } finally {
    await watched?.context.reaper.close();
  }
});

/** Responses that change with messages, which have events of their own. */
const OF_MESSAGES = [
  '/chat/unread',
  '/chat/conversations/:id/unread-count',
  '/chat/threads',
  '/chat/saved',
  '/chat/search',
  '/chat/drafts',
  '/chat/scheduled',
];

describe('a response', () => {
  it('equals a fresh one after any change, unless a change made it stale', () => {
    expect({ seed: SEED, differences: report.differences }).toEqual({ seed: SEED, differences: [] });
  });

  it('is watched of every endpoint whose responses changes affect', () => {
    const watchedKeys = WATCHERS.flatMap((name) => listRequests(workspace, name));
    const definitions = new Set(watchedKeys.map((key) => findResponse(key)?.definition));
    const unwatched = Object.entries(RESPONSES).filter(
      ([path, definition]) =>
        definition.kind !== 'static' && !OF_MESSAGES.includes(path) && !definitions.has(definition),
    );
    expect(unwatched.map(([path]) => path)).toEqual([]);
  });

  it.each(['project', 'project-counts', 'task', 'user', 'user-counts', 'department'])(
    'is patched with changes of its items: %s',
    (resource) => {
      const patched = report.outcomes.filter(({ key, kind, differences }) => {
        const definition = findResponse(key)?.definition;
        const isOwn = definition && 'resource' in definition && definition.resource === resource;
        return isOwn && kind === 'changed' && differences.length === 0;
      });
      expect(patched.length).toBeGreaterThan(0);
    },
  );
});

it('every kind of change was made', () => {
  expect({ seed: SEED, skipped: report.skipped }).toEqual({ seed: SEED, skipped: [] });
});
