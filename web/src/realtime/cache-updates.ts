import type { Change } from '@atrium/proto-events/realtime';
import { matchesSearch } from '@atrium/proto-events/text/search';
import { isRecord } from '#lib/is-record.ts';
import type { Edit } from '#lib/query/query-cache.ts';
import { type Before, type Fields, INVALIDATION_RULES, type Item, type ListRule } from './invalidation-rules.ts';
import { newerItem } from './list-patches.ts';
import { isAtOrBelow, isComplete, itemsOf, matchesPattern } from './stale-queries.ts';

type Resource = Change['resource'];
type Saved = Item & { _id: string };

/** Replaces older versions of the saved item. Later versions are kept. */
export const withSaved =
  (resource: Resource, saved: Saved): Edit =>
  (key, response) =>
    editResponse(key, response, {
      resource,
      editItem: (item) => (item._id === saved._id ? mergeNewer(item, saved) : item),
      editList: (list) => listWith(list, saved),
    });

/** `edit` must be idempotent. */
export const withChanged =
  (resource: Resource, id: string, edit: (item: Item) => Item): Edit =>
  (key, response) => {
    const editItem = (item: Item) => (item._id === id ? edit(item) : item);
    return editResponse(key, response, {
      resource,
      editItem,
      editList: ({ items }) => ({ items: items.map(editItem), totalDelta: 0 }),
    });
  };

/** Removes deleted items from lists. Responses for a single item stay unchanged until their next request. */
export const withoutDeleted =
  (resource: Resource, isDeleted: (item: Item) => boolean): Edit =>
  (key, response) =>
    editResponse(key, response, {
      resource,
      editItem: (item) => item,
      editList: ({ items }) => {
        const remaining = items.filter((item) => !isDeleted(item));
        return { items: remaining, totalDelta: remaining.length - items.length };
      },
    });

export function versionIn(response: unknown, id: string): number | undefined {
  const item = isRecord(response) && response._id === id ? response : itemsOf(response).find(({ _id }) => _id === id);
  return typeof item?.version === 'number' ? item.version : undefined;
}

type List = {
  items: readonly Item[];
  isWhole: boolean;
  query: URLSearchParams;
  path: string;
  rule: ListRule | undefined;
};
type EditedList = { items: readonly Item[]; totalDelta: number };
type ResponseEdit = { resource: Resource; editItem: (item: Item) => Item; editList: (list: List) => EditedList };

/** Returns the same object where nothing changes. Edits only responses of the resource itself, not references to it. */
function editResponse(key: string, response: unknown, { resource, editItem, editList }: ResponseEdit): unknown {
  const [path = '', query] = key.split('?', 2);
  const { basePath, rules } = INVALIDATION_RULES[resource];
  if (!isAtOrBelow(path, basePath)) return response;
  const isPlain = Array.isArray(response);
  if (!isPlain && !isRecord(response)) return response;
  if (!isPlain && !Array.isArray(response.data)) return editItem(response);
  const items = itemsOf(response);
  const edited = editList({
    items,
    isWhole: isComplete(response),
    query: new URLSearchParams(query),
    path,
    rule: rules.find((rule): rule is ListRule => rule.kind === 'list' && matchesPattern(path, rule.path)),
  });
  const isSame = edited.items.length === items.length && edited.items.every((item, index) => item === items[index]);
  if (isSame && edited.totalDelta === 0) return response;
  if (isPlain) return edited.items;
  const { total } = response;
  return { ...response, data: edited.items, ...(typeof total === 'number' && { total: total + edited.totalDelta }) };
}

/** Keeps fields that the saved item lacks, such as the comments of a task. */
const mergeNewer = (current: Item, saved: Saved) =>
  newerItem(current, saved) === current ? current : { ...current, ...saved };

function listWith(list: List, saved: Saved): EditedList {
  const { items } = list;
  const index = items.findIndex(({ _id }) => _id === saved._id);
  const current = items[index];
  if (!current) return listWithNew(list, saved);
  const item = mergeNewer(current, saved);
  if (item === current) return { items, totalDelta: 0 };
  const otherItems = items.toSpliced(index, 1);
  if (belongs(list, item) === false) return { items: otherItems, totalDelta: -1 };
  const isBefore = getOrder(list);
  return {
    items: otherItems.toSpliced(isBefore ? findIndexFor(otherItems, item, isBefore) : index, 0, item),
    totalDelta: 0,
  };
}

function listWithNew(list: List, saved: Saved): EditedList {
  const { items, query } = list;
  const isBefore = getOrder(list);
  if (!isBefore || belongs(list, saved) !== true) return { items, totalDelta: 0 };
  const index = findIndexFor(items, saved, isBefore);
  // Its position after the last item of an incomplete list is unknown.
  if (index === items.length && !list.isWhole) return { items, totalDelta: 1 };
  const maxItems = Number(query.get('limit')) * Number(query.get('pages') ?? 1) || Number.POSITIVE_INFINITY;
  return { items: items.toSpliced(index, 0, saved).slice(0, maxItems), totalDelta: 1 };
}

function findIndexFor(items: readonly Item[], item: Item, isBefore: Before): number {
  const index = items.findIndex((other) => isBefore(item, other));
  return index === -1 ? items.length : index;
}

/** The order is known only for the first page. */
function getOrder({ rule, query }: List): Before | undefined {
  if (Number(query.get('page') ?? 1) > 1) return undefined;
  return rule?.before ?? rule?.sorts?.[query.get('sort') ?? ''];
}

const PAGING = ['page', 'pages', 'limit', 'people', 'sort'];

function belongs({ rule, query, path }: List, item: Item): boolean | undefined {
  if (!rule) return undefined;
  if (rule.path.endsWith('/project/:id') && item.project !== path.split('/').at(-1)) return false;
  const matches = [...query]
    .filter(([name, value]) => value !== '' && !PAGING.includes(name))
    .map(([name, value]) => matchesFilter(item, { name, value, fields: rule.filters[name] }));
  if (matches.includes(false)) return false;
  return '' in rule.filters || matches.includes(undefined) ? undefined : true;
}

type Filter = { name: string; value: string; fields: Fields | undefined };

/** Returns true for a literal match. Undefined means unknown, because the server's search may match more. */
function matchesFilter(item: Item, { name, value, fields }: Filter): boolean | undefined {
  if (fields === undefined || fields === 'any') return undefined;
  if (name !== 'search') return value.split(',').includes(toIdOrText(item[name]));
  return matchesSearch(fields.map((field) => String(item[field] ?? '')).join(' '), value) || undefined;
}

/** Users and departments are records in items and ids in queries; a missing one is `none`. */
const toIdOrText = (field: unknown): string => String(isRecord(field) ? field._id : (field ?? 'none'));
