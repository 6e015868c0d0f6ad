import type { Project } from '@atrium/proto-events/http/projects';
import type { Task } from '@atrium/proto-events/http/tasks';
import type { User } from '@atrium/proto-events/people';
import type { Change } from '@atrium/proto-events/realtime';
import type { ListResponse } from '@atrium/proto-events/responses/response';
import { findResponse } from '@atrium/proto-events/responses/responses';
import fc from 'fast-check';
import type { Item } from '#realtime/items.ts';
import { buildProject } from './build-project.ts';
import { buildTask } from './build-task.ts';
import { buildUser } from './build-user.ts';

/** An administrator, whose abilities do not depend on memberships. */
export const VIEWER = { userId: 'e'.repeat(24), role: 'admin' } as const;
/** The project of all tasks. */
export const PROJECT = 'b'.repeat(24);

/** A small range of values, so that items are equal in some fields and move past each other. */
export type Values = { number: number; text: string; choice: number; date: string | null };
export const values = fc.record({
  number: fc.integer({ min: 0, max: 5 }),
  text: fc.constantFrom('Anna', 'ánna', 'Đặng', 'Øst', 'a b', '日本', 'Zoe'),
  choice: fc.integer({ min: 0, max: 3 }),
  date: fc.constantFrom(null, '2026-01-01T00:00:00.000Z', '2026-02-01T00:00:00.000Z'),
});

export type Resource = {
  make: (id: string, values: Values, version: number) => Item;
  tags: Change['tags'];
  changed: string[];
  /** Fields whose previous values some changes have. */
  previous?: string[];
};

const at = (array: readonly string[], index: number) => array[index % array.length] ?? '';
const time = (number: number) => `2026-03-0${number + 1}T00:00:00.000Z`;
const asItem = (item: Project | Task | User) => item as unknown as Item;

export const project: Resource = {
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
export const task: Resource = {
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
  previous: ['status', 'priority', 'dueDate'],
};
export const user: Resource = {
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

export type Step = { kind: 'create' | 'update' | 'delete'; nth: number; values: Values };
export const steps = fc.array(
  fc.record({
    kind: fc.constantFrom<Step['kind']>('create', 'update', 'update', 'update', 'delete'),
    nth: fc.nat(),
    values,
  }),
  { minLength: 1, maxLength: 15 },
);

export function createServer(resource: Resource, initial: readonly Values[]) {
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
    const previous = (resource.previous ?? []).filter((field) => changed.includes(field));
    return {
      ...base,
      id,
      action: 'updated',
      version,
      changed,
      item,
      ...(nth % 3 > 0 && { previous: Object.fromEntries(previous.map((field) => [field, before[field]])) }),
    };
  };
  return { change, respond: (key: string) => respond(key, items, transaction) };
}

const resourceOf = (resource: Resource): Change['resource'] =>
  resource === project ? 'project' : resource === task ? 'task' : 'user';

type Page = { data: Item[]; total?: number; totalPages?: number };

/** The server of this test knows no viewer, and abilities depend on the viewer. */
export function simplify(data: unknown): unknown {
  const { data: items, total, totalPages } = (Array.isArray(data) ? { data } : data) as Page;
  return {
    total,
    totalPages,
    items: items.map(({ abilities: _abilities, denialReasons: _denialReasons, ...item }) => item),
  };
}
