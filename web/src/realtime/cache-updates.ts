import type { Change } from '@atrium/proto-events/realtime';
import { matchesSearch } from '@atrium/proto-events/text/search';
import { isRecord } from '../lib/is-record.ts';
import type { Edit } from '../lib/query/query-cache.ts';
import {
  type Before,
  type Fields,
  INVALIDATION_RULES,
  type InvalidationRule,
  type Item,
} from './invalidation-rules.ts';
import { laterOf } from './list-patches.ts';
import { isBelow, isLike, isWhole, itemsOf } from './stale-queries.ts';

type Resource = Change['resource'];
type ListShowing = Extract<InvalidationRule, { kind: 'list' }>;
export type Saved = Item & { _id: string };

/** Has an item that was saved stand wherever answers show it, and in no list that it has left. A later version of it stays. */
export const withSaved =
  (resource: Resource, saved: Saved): Edit =>
  (key, answer) =>
    editAnswer(key, answer, {
      resource,
      one: (item) => (item._id === saved._id ? merged(item, saved) : item),
      list: (list) => listWith(list, saved),
    });

/** Has an item stand as it is after a write that does not answer it whole; `edit` may meet an item that has the change already. */
export const withChanged =
  (resource: Resource, id: string, edit: (item: Item) => Item): Edit =>
  (key, answer) => {
    const one = (item: Item) => (item._id === id ? edit(item) : item);
    return editAnswer(key, answer, { resource, one, list: ({ items }) => ({ items: items.map(one), change: 0 }) });
  };

/** Takes items that are gone from every list. Who shows one by itself asks for it, and is told. */
export const withoutGone =
  (resource: Resource, isGone: (item: Item) => boolean): Edit =>
  (key, answer) =>
    editAnswer(key, answer, {
      resource,
      one: (item) => item,
      list: ({ items }) => {
        const left = items.filter((item) => !isGone(item));
        return { items: left, change: left.length - items.length };
      },
    });

/** The latest version of an item that an answer shows; undefined where it shows none. */
export function versionIn(answer: unknown, id: string): number | undefined {
  const shown = isRecord(answer) && answer._id === id ? answer : itemsOf(answer).find(({ _id }) => _id === id);
  return typeof shown?.version === 'number' ? shown.version : undefined;
}

type List = {
  items: readonly Item[];
  isWhole: boolean;
  query: URLSearchParams;
  path: string;
  showing: ListShowing | undefined;
};
/** `change`: by how many there are more. */
type Edited = { items: readonly Item[]; change: number };
type Editing = { resource: Resource; one: (item: Item) => Item; list: (list: List) => Edited };

/** The same answer where nothing of it changes. Only what is of the resource itself is edited, not what names it. */
function editAnswer(key: string, answer: unknown, { resource, one, list }: Editing): unknown {
  const [path = '', query] = key.split('?', 2);
  const { own, showings } = INVALIDATION_RULES[resource];
  if (!isBelow(path, own)) return answer;
  const isPlain = Array.isArray(answer);
  if (!isPlain && !isRecord(answer)) return answer;
  if (!isPlain && !Array.isArray(answer.data)) return one(answer);
  const items = itemsOf(answer);
  const edited = list({
    items,
    isWhole: isWhole(answer),
    query: new URLSearchParams(query),
    path,
    showing: showings.find((showing): showing is ListShowing => showing.kind === 'list' && isLike(path, showing.path)),
  });
  const isSame = edited.items.length === items.length && edited.items.every((item, index) => item === items[index]);
  if (isSame && edited.change === 0) return answer;
  if (isPlain) return edited.items;
  const { total } = answer;
  return { ...answer, data: edited.items, ...(typeof total === 'number' && { total: total + edited.change }) };
}

/** What one answer leaves out, such as the comments of a task, stays. */
const merged = (known: Item, saved: Saved) => (laterOf(known, saved) === known ? known : { ...known, ...saved });

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
  return { items: others.toSpliced(before ? placeIn(others, item, before) : at, 0, item), change: 0 };
}

function listWithNew(list: List, saved: Saved): Edited {
  const { items, query } = list;
  const before = orderOf(list);
  if (!before || belongs(list, saved) !== true) return { items, change: 0 };
  const place = placeIn(items, saved, before);
  // After the last of a list that goes on it may stand anywhere.
  if (place === items.length && !list.isWhole) return { items, change: 1 };
  const most = Number(query.get('limit')) * Number(query.get('pages') ?? 1) || Number.POSITIVE_INFINITY;
  return { items: items.toSpliced(place, 0, saved).slice(0, most), change: 1 };
}

function placeIn(items: readonly Item[], item: Item, before: Before): number {
  const place = items.findIndex((other) => before(item, other));
  return place === -1 ? items.length : place;
}

/** What stands on a later page follows from what is on those before. */
function orderOf({ showing, query }: List): Before | undefined {
  if (Number(query.get('page') ?? 1) > 1) return undefined;
  return showing?.before ?? showing?.sorts?.[query.get('sort') ?? ''];
}

const PAGING = ['page', 'pages', 'limit', 'people', 'sort'];

/** Whether an item is in a list by its filters; undefined where only the server can tell. */
function belongs({ showing, query, path }: List, item: Item): boolean | undefined {
  if (!showing) return undefined;
  if (showing.path.endsWith('/project/:id') && item.project !== path.split('/').at(-1)) return false;
  const answers = [...query]
    .filter(([name, value]) => value !== '' && !PAGING.includes(name))
    .map(([name, value]) => passes(item, { name, value, fields: showing.filters[name] }));
  if (answers.includes(false)) return false;
  return '' in showing.filters || answers.includes(undefined) ? undefined : true;
}

type Filter = { name: string; value: string; fields: Fields | undefined };

/** What is found by its very words is found; the server may find more. */
function passes(item: Item, { name, value, fields }: Filter): boolean | undefined {
  if (fields === undefined || fields === 'any') return undefined;
  if (name !== 'search') return value.split(',').includes(idOrText(item[name]));
  return matchesSearch(fields.map((field) => String(item[field] ?? '')).join(' '), value) || undefined;
}

/** People and departments stand in items as records, and in queries by their ids; without one, as `none`. */
const idOrText = (field: unknown): string => String(isRecord(field) ? field._id : (field ?? 'none'));
