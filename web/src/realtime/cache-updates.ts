import type { Change } from '@atrium/proto-events/realtime';
import { matchesSearch } from '@atrium/proto-events/text/search';
import { isRecord } from '#lib/is-record.ts';
import type { Edit } from '#lib/query/query-cache.ts';
import {
  type Before,
  type Fields,
  INVALIDATION_RULES,
  type InvalidationRule,
  type Item,
} from './invalidation-rules.ts';
import { newerOf } from './list-patches.ts';
import { isAtOrBelow, isComplete, itemsOf, matchesPattern } from './stale-queries.ts';

type Resource = Change['resource'];
type ListShowing = Extract<InvalidationRule, { kind: 'list' }>;
type Saved = Item & { _id: string };

/** Later versions are kept. */
export const withSaved =
  (resource: Resource, saved: Saved): Edit =>
  (key, response) =>
    editResponse(key, response, {
      resource,
      one: (item) => (item._id === saved._id ? merged(item, saved) : item),
      list: (list) => listWith(list, saved),
    });

/** `edit` must be idempotent. */
export const withChanged =
  (resource: Resource, id: string, edit: (item: Item) => Item): Edit =>
  (key, response) => {
    const one = (item: Item) => (item._id === id ? edit(item) : item);
    return editResponse(key, response, { resource, one, list: ({ items }) => ({ items: items.map(one), change: 0 }) });
  };

/** Responses for a single item are left to their next request. */
export const withoutDeleted =
  (resource: Resource, isDeleted: (item: Item) => boolean): Edit =>
  (key, response) =>
    editResponse(key, response, {
      resource,
      one: (item) => item,
      list: ({ items }) => {
        const remaining = items.filter((item) => !isDeleted(item));
        return { items: remaining, change: remaining.length - items.length };
      },
    });

export function versionIn(response: unknown, id: string): number | undefined {
  const shown = isRecord(response) && response._id === id ? response : itemsOf(response).find(({ _id }) => _id === id);
  return typeof shown?.version === 'number' ? shown.version : undefined;
}

type List = {
  items: readonly Item[];
  isWhole: boolean;
  query: URLSearchParams;
  path: string;
  showing: ListShowing | undefined;
};
type Edited = { items: readonly Item[]; change: number };
type Editing = { resource: Resource; one: (item: Item) => Item; list: (list: List) => Edited };

/** Returns the same object where nothing changes. Edits only responses of the resource itself, not references to it. */
function editResponse(key: string, response: unknown, { resource, one, list }: Editing): unknown {
  const [path = '', query] = key.split('?', 2);
  const { own, rules } = INVALIDATION_RULES[resource];
  if (!isAtOrBelow(path, own)) return response;
  const isPlain = Array.isArray(response);
  if (!isPlain && !isRecord(response)) return response;
  if (!isPlain && !Array.isArray(response.data)) return one(response);
  const items = itemsOf(response);
  const edited = list({
    items,
    isWhole: isComplete(response),
    query: new URLSearchParams(query),
    path,
    showing: rules.find(
      (showing): showing is ListShowing => showing.kind === 'list' && matchesPattern(path, showing.path),
    ),
  });
  const isSame = edited.items.length === items.length && edited.items.every((item, index) => item === items[index]);
  if (isSame && edited.change === 0) return response;
  if (isPlain) return edited.items;
  const { total } = response;
  return { ...response, data: edited.items, ...(typeof total === 'number' && { total: total + edited.change }) };
}

/** Fields that the saved item lacks, such as the comments of a task, are kept. */
const merged = (known: Item, saved: Saved) => (newerOf(known, saved) === known ? known : { ...known, ...saved });

function listWith(list: List, saved: Saved): Edited {
  const { items } = list;
  const at = items.findIndex(({ _id }) => _id === saved._id);
  const known = items[at];
  if (!known) return listWithNew(list, saved);
  const item = merged(known, saved);
  if (item === known) return { items, change: 0 };
  const others = items.toSpliced(at, 1);
  if (belongs(list, item) === false) return { items: others, change: -1 };
  const before = orderOf(list);
  return { items: others.toSpliced(before ? findIndexFor(others, item, before) : at, 0, item), change: 0 };
}

function listWithNew(list: List, saved: Saved): Edited {
  const { items, query } = list;
  const before = orderOf(list);
  if (!before || belongs(list, saved) !== true) return { items, change: 0 };
  const index = findIndexFor(items, saved, before);
  // After the last item of an incomplete list, its position is unknown.
  if (index === items.length && !list.isWhole) return { items, change: 1 };
  const maxItems = Number(query.get('limit')) * Number(query.get('pages') ?? 1) || Number.POSITIVE_INFINITY;
  return { items: items.toSpliced(index, 0, saved).slice(0, maxItems), change: 1 };
}

function findIndexFor(items: readonly Item[], item: Item, before: Before): number {
  const index = items.findIndex((other) => before(item, other));
  return index === -1 ? items.length : index;
}

/** The order is known only for the first page. */
function orderOf({ showing, query }: List): Before | undefined {
  if (Number(query.get('page') ?? 1) > 1) return undefined;
  return showing?.before ?? showing?.sorts?.[query.get('sort') ?? ''];
}

const PAGING = ['page', 'pages', 'limit', 'people', 'sort'];

function belongs({ showing, query, path }: List, item: Item): boolean | undefined {
  if (!showing) return undefined;
  if (showing.path.endsWith('/project/:id') && item.project !== path.split('/').at(-1)) return false;
  const matches = [...query]
    .filter(([name, value]) => value !== '' && !PAGING.includes(name))
    .map(([name, value]) => passes(item, { name, value, fields: showing.filters[name] }));
  if (matches.includes(false)) return false;
  return '' in showing.filters || matches.includes(undefined) ? undefined : true;
}

type Filter = { name: string; value: string; fields: Fields | undefined };

/** A literal match passes; the server may match more. */
function passes(item: Item, { name, value, fields }: Filter): boolean | undefined {
  if (fields === undefined || fields === 'any') return undefined;
  if (name !== 'search') return value.split(',').includes(idOrText(item[name]));
  return matchesSearch(fields.map((field) => String(item[field] ?? '')).join(' '), value) || undefined;
}

/** Users and departments are records in items and ids in queries; none is `none`. */
const idOrText = (field: unknown): string => String(isRecord(field) ? field._id : (field ?? 'none'));
