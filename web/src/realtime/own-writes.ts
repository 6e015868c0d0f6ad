import type { Change } from '@atrium/proto-events/realtime';
import { findResponse } from '@atrium/proto-events/responses/responses';
import { isRecord } from '#lib/is-record.ts';
import type { Edit, QueryCache } from '#lib/query/query-cache.ts';
import { type Item, itemsOf } from './items.ts';
import { removeItems } from './patch-list.ts';
import { type PatchContext, patchOwnResource } from './patch-response.ts';

type Resource = Change['resource'];

const PATHS: Partial<Record<Resource, string>> = {
  user: '/users',
  department: '/departments',
  project: '/projects',
  task: '/tasks',
  meeting: '/meetings',
  room: '/meetings/rooms',
  document: '/documents',
  conversation: '/chat/conversations',
  notification: '/notifications',
  invitation: '/auth/invites',
  session: '/auth/sessions',
};

/** Whether the key is that of a response with items of the resource. */
export function shows(resource: Resource, key: string): boolean {
  const path = key.split('?', 1)[0] ?? '';
  const parent = PATHS[resource];
  return parent !== undefined && (path === parent || path.startsWith(`${parent}/`));
}

const isSingleItem = (data: unknown): data is Item => isRecord(data) && typeof data._id === 'string';

const editItems = (data: unknown, edit: (item: Item) => Item): unknown => {
  if (isSingleItem(data)) return edit(data);
  const items = itemsOf(data);
  const edited = items.map(edit);
  if (edited.every((item, index) => item === items[index])) return data;
  return Array.isArray(data) ? edited : { ...(data as object), data: edited };
};

function findOwnDefinition(resource: Resource, key: string) {
  const { definition, request } = findResponse(key) ?? {};
  const isOwn = definition && 'resource' in definition && definition.resource === resource;
  return isOwn && request ? { definition, request } : undefined;
}

/** Shows the response of a write as if the server had sent it as a change. */
const withWritten =
  (action: 'created' | 'updated') =>
  (resource: Resource, saved: Item, context: PatchContext): Edit =>
  (key, data) => {
    if (!shows(resource, key)) return { data, isStale: false };
    const own = findOwnDefinition(resource, key);
    if (own) {
      const version = typeof saved.version === 'number' ? saved.version : 0;
      const change: Change = { resource, id: saved._id, action, version, tags: [], item: saved };
      return patchOwnResource(data, change, { ...own, context });
    }
    return { data: editItems(data, (item) => (item._id === saved._id ? newer(item, saved) : item)), isStale: false };
  };

export const withCreated = withWritten('created');
export const withSaved = withWritten('updated');

/** Keeps fields that the saved item lacks, such as the response of the user. */
const newer = (current: Item, saved: Item): Item =>
  typeof current.version === 'number' && typeof saved.version === 'number' && saved.version < current.version
    ? current
    : { ...current, ...saved };

/** Whether a response shows a later version of the saved item, which others have changed in the meantime. */
export function isSuperseded(cache: QueryCache, resource: Resource, { _id, version }: Item): boolean {
  if (typeof version !== 'number') return false;
  return [...cache].some(([key, { data }]) => {
    if (!shows(resource, key)) return false;
    const shown = isSingleItem(data) ? [data] : itemsOf(data);
    return shown.some((item) => item._id === _id && typeof item.version === 'number' && item.version > version);
  });
}

/** `edit` must be idempotent. */
export const withChanged =
  (resource: Resource, id: string, edit: (item: Item) => Item): Edit =>
  (key, data) => ({
    data: shows(resource, key) ? editItems(data, (item) => (item._id === id ? edit(item) : item)) : data,
    isStale: false,
  });

/** Removes items from lists. Responses for a single item stay unchanged until their next request. */
export const withoutDeleted =
  (resource: Resource, isDeleted: (item: Item) => boolean): Edit =>
  (key, data) =>
    shows(resource, key) && !isSingleItem(data)
      ? removeItems(data, new URLSearchParams(key.split('?')[1]), isDeleted)
      : { data, isStale: false };
