import type { Project } from '@atrium/proto-events/http/projects';
import type { Task } from '@atrium/proto-events/http/tasks';
import type { User } from '@atrium/proto-events/people';
import type { Change } from '@atrium/proto-events/realtime';
import type { ListResponse } from '@atrium/proto-events/responses/response';
import { findResponse } from '@atrium/proto-events/responses/responses';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { buildProject } from '../../test/build-project.ts';
import { buildTask } from '../../test/build-task.ts';
import { buildUser } from '../../test/build-user.ts';
import type { Item } from './items.ts';
import { type PatchContext, patchResponse } from './patch-response.ts';

const VIEWER = { userId: 'e'.repeat(24), role: 'admin' } as const;
const CONTEXT: PatchContext = { viewer: VIEWER, today: '2026-11-29', membershipIn: () => null };
const PROJECT = 'b'.repeat(24);

/** A small range of values, so that items are equal in some fields and move past each other. */
type Values = { number: number; text: string; choice: number; date: string | null };
const values = fc.record({
  number: fc.integer({ min: 0, max: 5 }),
  text: fc.constantFrom('Anna', 'ánna', 'Đặng', 'Øst', 'a b', '日本', 'Zoe'),
  choice: fc.integer({ min: 0, max: 3 }),
  date: fc.constantFrom(null, '2026-01-01T00:00:00.000Z', '2026-02-01T00:00:00.000Z'),
});

type Resource = {
  make: (id: string, values: Values, version: number) => Item;
  tags: Change['tags'];
  changed: string[];
};

const at = (array: readonly string[], index: number) => array[index % array.length] ?? '';
const time = (number: number) => `2026-03-0${number + 1}T00:00:00.000Z`;
const asItem = (item: Project | Task | User) => item as unknown as Item;

const project: Resource = {
  make: (_id, { number, text, choice }, version) =>
    asItem(
      buildProject({
        _id,
        name: text,
        status: at(['on-hold', 'in-progress'], choice) as Project['status'],
        priority: at(['urgent', 'high', 'medium', 'low'], number) as Project['priority'],
        updatedAt: `2026-03-01T00:00:${String(version).padStart(2, '0')}.000Z`,
        membership: null,
        version,
      }),
    ),
  tags: ['projects'],
  changed: ['name', 'status', 'priority'],
};
const task: Resource = {
  make: (_id, { number, text, choice, date }, version) =>
    asItem(
      buildTask('a', {
        _id,
        project: PROJECT,
        title: text,
        status: at(['todo', 'done'], choice) as Task['status'],
        priority: at(['urgent', 'high', 'medium', 'low'], number) as Task['priority'],
        dueDate: date,
        createdAt: time(Number.parseInt(_id, 16) % 6),
        version,
      }),
    ),
  tags: [`tasks-in:${PROJECT}`],
  changed: ['title', 'status', 'priority', 'dueDate'],
};
const user: Resource = {
  make: (_id, { number, text, choice }, version) =>
    asItem(
      buildUser('a', {
        _id,
        firstName: at(['Bao', 'Lê', 'Ö'], number),
        lastName: text,
        role: at(['admin', 'member'], choice) as User['role'],
        status: at(['active', 'inactive'], number) as User['status'],
        version,
      }),
    ),
  tags: ['users'],
  changed: ['firstName', 'lastName', 'role', 'status'],
};

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

/** The response of a server that has these items. */
function respond(key: string, items: ReadonlyMap<string, Item>, transaction = 0): unknown {
  const matched = findResponse(key);
  const request = { ...(matched?.request ?? { params: {}, query: new URLSearchParams() }), viewer: VIEWER };
  const definition = matched?.definition as unknown as ListResponse<Item>;
  const sorted = [...items.values()]
    .filter((item) => definition.matches(item, request))
    .toSorted(definition.compare(request));
  const limit = Number(request.query.get('limit'));
  const first = (Number(request.query.get('page') ?? 1) - 1) * limit;
  const data = sorted.slice(first, first + limit * Number(request.query.get('pages') ?? 1));
  const total = sorted.length;
  const asOf = `${transaction + 1}:${transaction + 1}:`;
  return key.startsWith('/users/project-managers') ? data : { data, total, asOf, totalPages: Math.ceil(total / limit) };
}

const idOf = (number: number) => number.toString(16).padStart(24, '0');

type Step = { kind: 'create' | 'update' | 'delete'; nth: number; values: Values };
const steps = fc.array(
  fc.record({
    kind: fc.constantFrom<Step['kind']>('create', 'update', 'update', 'update', 'delete'),
    nth: fc.nat(),
    values,
  }),
  { minLength: 1, maxLength: 15 },
);

function createServer(resource: Resource, initial: readonly Values[]) {
  const items = new Map<string, Item>();
  let created = 0;
  let version = 0;
  let transaction = 0;
  const put = (id: string, itemValues: Values): Item => {
    version += 1;
    const item = resource.make(id, itemValues, version);
    items.set(id, item);
    return item;
  };
  const create = (itemValues: Values) => {
    created += 1;
    return put(idOf(created), itemValues);
  };
  for (const itemValues of initial) create(itemValues);
  const change = ({ kind, nth, values: itemValues }: Step): Change | null => {
    const ids = [...items.keys()];
    const id = ids[nth % Math.max(1, ids.length)];
    transaction += 1;
    const base = { resource: resourceOf(resource), tags: resource.tags, transaction: String(transaction) };
    if (kind === 'create') {
      const item = create(itemValues);
      return { ...base, id: item._id, action: 'created', version, item };
    }
    const before = id === undefined ? undefined : items.get(id);
    if (id === undefined || !before) return null;
    if (kind === 'delete') {
      items.delete(id);
      return { ...base, id, action: 'deleted', version: 0, item: before };
    }
    const item = put(id, itemValues);
    const changed = resource.changed.filter((field) => item[field] !== before[field]);
    return { ...base, id, action: 'updated', version, changed, item };
  };
  return { change, respond: (key: string) => respond(key, items, transaction) };
}

const resourceOf = (resource: Resource): Change['resource'] =>
  resource === project ? 'project' : resource === task ? 'task' : 'user';

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

type Page = { data: Item[]; total?: number; totalPages?: number };

/** The server of this test knows no viewer, and abilities depend on the viewer. */
function simplify(data: unknown): unknown {
  const { data: items, total, totalPages } = (Array.isArray(data) ? { data } : data) as Page;
  return {
    total,
    totalPages,
    items: items.map(({ abilities: _abilities, denialReasons: _denialReasons, ...item }) => item),
  };
}

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
