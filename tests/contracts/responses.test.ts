import { ALL_ENDPOINTS } from '@atrium/proto-events/all-endpoints';
import type { Change } from '@atrium/proto-events/realtime';
import type { ListResponse, ResponseDefinition } from '@atrium/proto-events/responses/response';
import { findResponse, RESPONSES } from '@atrium/proto-events/responses/responses';
import { describe, expect, it } from '@jest/globals';
import { CHANGED_FIELDS } from './changed-fields.ts';
import { findEndpoint, GET_ENDPOINTS, listParameters, samplePath, sampleRequests } from './response-requests.ts';
import { showsUsers } from './shown-users.ts';

/** Searches for free times are long, and therefore sent as `POST`. */
const SEARCHES = ['/meetings/busy', '/meetings/free-times'];

const definitions = Object.entries(RESPONSES);
const lists = definitions.flatMap(([path, definition]): [string, ListResponse][] =>
  definition.kind === 'list' ? [[path, definition]] : [],
);
const patched = definitions.flatMap(([path, definition]) =>
  definition.kind === 'list' || definition.kind === 'item' ? [[path, definition] as const] : [],
);

type Schema = { shape?: Record<string, Schema>; element?: Schema };

/** The fields of the items of a list, or of a single resource. */
function itemFields(path: string): readonly string[] {
  const response = findEndpoint(path)?.response as Schema | undefined;
  const item = response?.shape?.data?.element ?? response?.element ?? response;
  return Object.keys(item?.shape ?? {});
}

describe('the definitions of responses', () => {
  it('are of every GET endpoint and of the searches that are sent as POST', () => {
    const posts = ALL_ENDPOINTS.map(({ endpoint }) => endpoint).filter(({ path }) => SEARCHES.includes(path));
    expect(posts.map(({ method }) => method)).toEqual(['POST', 'POST']);
    expect(Object.keys(RESPONSES).sort()).toEqual([...GET_ENDPOINTS.map(({ path }) => path), ...SEARCHES].sort());
  });

  it.each(definitions)('are found by the path of a request: %s', (path, definition) => {
    expect(findResponse(`${samplePath(path)}?limit=6`)?.definition).toBe(definition);
  });

  it.each(definitions.filter(([path, { kind }]) => kind !== 'static' && showsUsers(findEndpoint(path)?.response)))(
    'of a response that shows users have the tag by which browsers receive their names: %s',
    (path, definition) => {
      for (const tags of listTags(path, definition)) expect(tags).toContain('people');
    },
  );
});

const listTags = (path: string, definition: ResponseDefinition) =>
  definition.kind === 'static' ? [] : sampleRequests(path).map(definition.tags);

describe('the definition of a response that browsers patch', () => {
  it.each(patched)('names fields of its items that events can name as changed: %s', (path, definition) => {
    const changedFields = CHANGED_FIELDS[definition.resource];
    const requests = sampleRequests(path);
    const fields = requests.flatMap((request) => definition.partialFields?.(request) ?? []);
    if (definition.kind === 'list')
      for (const request of requests)
        fields.push(...definition.filterFields(request), ...(definition.orderFields?.(request) ?? []));
    const named = [...new Set(fields)].filter((field) => !UNCHANGED_SORT_KEYS.includes(field));
    expect(named.filter((field) => !itemFields(path).includes(field))).toEqual([]);
    expect(named.filter((field) => !changedFields?.includes(field))).toEqual([]);
  });
});

/** Options of `sortBy`: `name` stands for both names, which always determine the place, and no event names `lastLogin`. */
const UNCHANGED_SORT_KEYS = ['name', 'lastLogin'];
/** Parameters that select no items by a field that changes. */
const NON_FILTERING_PARAMETERS = ['page', 'limit', 'sort', 'sortBy', 'sortOrder', 'project', 'ids', 'people'];

describe('the definition of a list', () => {
  it.each(lists)('has filter fields for each parameter: %s', (path, definition) => {
    const [request] = sampleRequests(path);
    if (!request) throw new Error('No request');
    const always = definition.filterFields(request);
    const filters = listParameters(path).filter(([name]) => !NON_FILTERING_PARAMETERS.includes(name));
    for (const [name, [value = '']] of filters) {
      const fields = definition.filterFields({ ...request, query: new URLSearchParams({ [name]: value }) });
      expect([name, fields.length > always.length]).toEqual([name, true]);
    }
  });
});

describe('the definition of a response that is requested again', () => {
  const update = (resource: Change['resource'], field: string): Change => ({
    resource,
    id: 'a'.repeat(24),
    action: 'updated',
    version: 2,
    tags: [],
    changed: [field],
  });

  it.each(definitions.filter(([, { kind }]) => kind === 'computed'))(
    'is affected by creations, deletions, changes that name no fields, and fields that events can name: %s',
    (path, definition) => {
      if (definition.kind !== 'computed') return;
      const { isAffected } = definition;
      const resource = OWN_RESOURCES.find(([prefix]) => path.startsWith(prefix))?.[1] ?? 'user';
      for (const action of ['created', 'deleted'] as const)
        expect(isAffected({ ...update(resource, ''), action }, undefined)).toBe(true);
      expect(isAffected({ ...update(resource, ''), changed: undefined as never }, undefined)).toBe(true);
      const fields = CHANGED_FIELDS[resource] ?? [];
      const affecting = fields.filter((field) => isAffected(update(resource, field), undefined));
      expect(affecting).not.toEqual([]);
      // A rule that lists affecting fields leaves out others.
      if (!isAffected(update(resource, 'unknown'), undefined)) expect(affecting).not.toEqual(fields);
    },
  );
});

describe('the definition of a response that changes of messages affect', () => {
  const edited: Change = {
    resource: 'message',
    id: 'a'.repeat(24),
    action: 'updated',
    version: 2,
    revision: 1,
    tags: [],
  };

  it.each(definitions.filter(([path, { kind }]) => kind === 'computed' && path.startsWith('/chat')))(
    'is affected in the same way if the message was sent a moment before, so that both changes arrive as one: %s',
    (_path, definition) => {
      if (definition.kind !== 'computed') return;
      const merged: Change = { ...edited, action: 'created' };
      expect(definition.isAffected(merged, undefined)).toBe(definition.isAffected(edited, undefined));
    },
  );
});

/** The resources by whose changed fields responses are selected. */
const OWN_RESOURCES: readonly [path: string, resource: Change['resource']][] = [
  ['/tasks', 'task'],
  ['/meetings/rooms', 'room'],
  ['/meetings', 'meeting'],
  ['/documents', 'document'],
  ['/chat', 'conversation'],
  ['/users', 'user'],
];
