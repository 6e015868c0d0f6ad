import type { Change } from '@atrium/proto-events/realtime';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  createServer,
  PROJECT,
  project,
  type Resource,
  simplify,
  steps,
  task,
  user,
  VIEWER,
  values,
} from '../../test/list-server.ts';
import type { Item } from './items.ts';
import { type PatchContext, patchResponse } from './patch-response.ts';

const CONTEXT: PatchContext = { viewer: VIEWER, today: '2026-11-29', membershipIn: () => null };

const KEYS: readonly [string, Resource][] = [
  ['/projects?limit=4&people=6', project],
  ['/projects?limit=3&people=6&page=2', project],
  ['/projects?limit=3&people=6&pages=2', project],
  ['/projects?limit=100&people=6', project],
  ['/projects?limit=4&people=6&status=on-hold', project],
  ['/projects?limit=4&people=6&search=anna', project],
  [`/tasks/project/${PROJECT}?limit=4&sort=priority&status=todo`, task],
  [`/tasks/project/${PROJECT}?limit=100&sort=priority&status=todo`, task],
  [`/tasks/project/${PROJECT}?limit=4&page=2`, task],
  ['/users?limit=4', user],
  ['/users?limit=4&page=2', user],
  ['/users?limit=4&sortBy=role&sortOrder=desc', user],
  ['/users?limit=100&search=anna&status=active', user],
  ['/users/project-managers?limit=100', user],
];

describe.each(KEYS)('%s', (key, resource) => {
  it('shows after any changes what a fresh response shows, unless it is stale', () => {
    let patchedCount = 0;
    fc.assert(
      fc.property(fc.array(values, { maxLength: 12 }), steps, (initial, changes) => {
        const server = createServer(resource, initial);
        let data = server.respond(key);
        for (const step of changes) {
          const change = server.change(step);
          if (!change) continue;
          const patched = patchResponse(key, data, [change], CONTEXT);
          const fresh = server.respond(key);
          expect(patchResponse(key, fresh, [change], CONTEXT)).toEqual({ data: fresh, isStale: false });
          if (!patched.isStale) {
            expect(simplify(patched.data)).toEqual(simplify(fresh));
            patchedCount += 1;
            const again = patchResponse(key, patched.data, [change], CONTEXT);
            if (!again.isStale) expect(simplify(again.data)).toEqual(simplify(patched.data));
          }
          data = patched.isStale ? fresh : patched.data;
        }
      }),
      { numRuns: 300 },
    );
    expect(patchedCount).toBeGreaterThan(100);
  });
});

/** A plain array does not record what it includes. */
const PAGES = KEYS.filter(([key]) => !key.startsWith('/users/project-managers'));

describe.each(PAGES)('%s', (key, resource) => {
  it('shows the same after changes that arrive again, unless it is stale', () => {
    let repeatedCount = 0;
    const repeats = fc.array(fc.nat(), { minLength: 1, maxLength: 10 });
    fc.assert(
      fc.property(fc.array(values, { maxLength: 12 }), steps, repeats, (initial, changes, indexes) => {
        const server = createServer(resource, initial);
        const sent: Change[] = [];
        let data = server.respond(key);
        for (const step of changes) {
          const change = server.change(step);
          if (!change) continue;
          sent.push(change);
          const patched = patchResponse(key, data, [change], CONTEXT);
          data = patched.isStale ? server.respond(key) : patched.data;
        }
        for (const index of indexes) {
          const change = sent[index % Math.max(1, sent.length)];
          if (!change) continue;
          const patched = patchResponse(key, data, [change], CONTEXT);
          if (patched.isStale) return;
          expect(simplify(patched.data)).toEqual(simplify(server.respond(key)));
          repeatedCount += 1;
        }
      }),
    );
    expect(repeatedCount).toBeGreaterThan(100);
  });
});

describe('the first page of all projects', () => {
  it('is stale only when an item leaves it', () => {
    fc.assert(
      fc.property(fc.array(values, { minLength: 6, maxLength: 12 }), steps, (initial, changes) => {
        const key = '/projects?limit=4&people=6';
        const server = createServer(project, initial);
        let data = server.respond(key);
        for (const step of changes) {
          const shownIds = (data as { data: Item[] }).data.map(({ _id }) => _id);
          const change = server.change(step);
          if (!change) continue;
          const patched = patchResponse(key, data, [change], CONTEXT);
          if (patched.isStale) expect([change.action, shownIds.includes(change.id)]).toEqual(['deleted', true]);
          data = server.respond(key);
        }
      }),
    );
  });
});

describe('a long page', () => {
  it('shows the first items of a fresh response, and reports when others are missing', () => {
    let incompleteCount = 0;
    fc.assert(
      fc.property(fc.array(values, { minLength: 22, maxLength: 26 }), steps, (initial, changes) => {
        const key = '/projects?limit=20&people=6';
        const server = createServer(project, initial);
        let data = server.respond(key);
        let isIncomplete = false;
        for (const step of changes) {
          const change = server.change(step);
          if (!change) continue;
          const patched = patchResponse(key, data, [change], CONTEXT);
          const fresh = server.respond(key) as { data: Item[] };
          isIncomplete = !patched.isStale && (isIncomplete || patched.isIncomplete === true);
          data = patched.isStale ? fresh : patched.data;
          const shown = (data as typeof fresh).data;
          expect(simplify({ ...fresh, data: fresh.data.slice(0, shown.length) })).toEqual(simplify(data));
          if (!isIncomplete) expect(shown).toHaveLength(fresh.data.length);
          if (isIncomplete) incompleteCount += 1;
        }
      }),
      { numRuns: 300 },
    );
    expect(incompleteCount).toBeGreaterThan(100);
  });
});
