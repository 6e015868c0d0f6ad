import type { Change } from '@atrium/proto-events/realtime';
import type { ListResponse, ResponseRequest } from '@atrium/proto-events/responses/response';
import { isRecord } from '#lib/is-record.ts';
import type { Edited } from '#lib/query/query-cache.ts';
import { hasChanged, type Item, isOlder, itemsOf } from './items.ts';

export type ListChange = {
  change: Change;
  request: ResponseRequest;
  definition: ListResponse<Item>;
  /** Whether the item of the change lacks a field that has changed. */
  isPartlyUnknown: boolean;
  /** Whether the item of the change has all fields that the list shows. */
  isWholeItem: boolean;
  /** Returns the changed item, from the current one in the list. */
  merge: (current: Item | undefined) => Item;
};

/** The part of a list in a response: its first items, or a later page. */
type Window = {
  items: readonly Item[];
  total: number;
  /** Whether these are all items of the list. */
  isWhole: boolean;
  isFirst: boolean;
  limit: number;
  maxItems: number;
};

/** Null if only the service knows the result, such as which item moves up into the page. */
type Result = { items: readonly Item[]; total: number; isIncomplete?: boolean } | null;

/** Applies a change to a page of a list, by the rules of the list. */
export function patchList(data: unknown, listChange: ListChange): Edited {
  const window = readWindow(data, listChange.request.query);
  if (!window) return { data, isStale: true };
  const { change } = listChange;
  const current = window.items.find(({ _id }) => _id === change.id);
  if (current && isOlder(change, current)) return { data, isStale: false };
  const result = current ? changeListed(window, current, listChange) : changeUnlisted(window, listChange);
  if (result === null) return { data, isStale: true };
  return { data: writeWindow(data, window, result), isStale: result.isIncomplete === true };
}

function readWindow(data: unknown, query: URLSearchParams): Window | undefined {
  const limit = Number(query.get('limit') ?? 10);
  const maxItems = limit * Number(query.get('pages') ?? 1);
  const items = itemsOf(data);
  // A plain array has no total: a full one may be the beginning of a longer list.
  if (Array.isArray(data))
    return { items, total: items.length, isWhole: items.length < maxItems, isFirst: true, limit, maxItems };
  if (!isRecord(data) || typeof data.total !== 'number') return undefined;
  const isFirst = Number(query.get('page') ?? 1) === 1;
  // A search with `more` matches than it counts is never whole.
  const isWhole = isFirst && data.more === undefined && items.length >= data.total;
  return { items, total: data.total, isWhole, isFirst, limit, maxItems };
}

function writeWindow(data: unknown, window: Window, { items, total }: NonNullable<Result>): unknown {
  if (items === window.items && total === window.total) return data;
  if (Array.isArray(data) || !isRecord(data)) return items;
  const { totalPages } = data;
  const addedPages = Math.ceil(total / window.limit) - Math.ceil(window.total / window.limit);
  return {
    ...data,
    data: items,
    total,
    ...(typeof totalPages === 'number' && { totalPages: totalPages + addedPages }),
  };
}

function changeListed(window: Window, current: Item, listChange: ListChange): Result {
  const { change, request, definition } = listChange;
  const others = window.items.filter((item) => item !== current);
  const removed = { items: others, total: window.total - 1, isIncomplete: !window.isWhole };
  if (change.action === 'deleted') return removed;
  if (!change.item || listChange.isPartlyUnknown) return null;
  const item = listChange.merge(current);
  const isListed = hasChanged(change, definition.filterFields(request)) ? definition.matches(item, request) : true;
  if (isListed === undefined) return null;
  if (!isListed) return removed;
  const inPlace = { items: window.items.map((other) => (other === current ? item : other)), total: window.total };
  if (!isMoved(listChange)) return inPlace;
  const index = findIndex(others, item, definition.compare(request));
  // At the end of a page, items of other pages may come in between.
  const isPlaceKnown = (index < others.length || window.isWhole) && (index > 0 || window.isFirst);
  return isPlaceKnown ? { items: others.toSpliced(index, 0, item), total: window.total } : null;
}

function changeUnlisted(window: Window, listChange: ListChange): Result {
  const { change, request, definition } = listChange;
  const isRefiltered = hasChanged(change, definition.filterFields(request));
  if (change.action === 'deleted' && window.isWhole) return window;
  if (change.action === 'updated' && !isRefiltered && (window.isWhole || !isMoved(listChange))) return window;
  if (!change.item) return null;
  const item = listChange.merge(undefined);
  const isListed = definition.matches(item, request);
  if (isListed === undefined) return null;
  const isNew = change.action === 'created' || (change.action === 'updated' && window.isWhole);
  if (isNew) return isListed ? insert(window, item, listChange, 1) : window;
  // It may have been on another page before.
  if (change.action === 'updated' && isRefiltered) return null;
  if (!isListed) return window;
  return change.action === 'deleted' ? removeElsewhere(window, item, listChange) : insert(window, item, listChange, 0);
}

function insert(window: Window, item: Item, { request, definition, isWholeItem }: ListChange, added: 0 | 1): Result {
  const { items, isWhole, isFirst, maxItems } = window;
  const total = window.total + added;
  const index = findIndex(items, item, definition.compare(request));
  // It moves the items of later pages, unless it comes after this page.
  if (index === items.length && !isWhole) return isFirst || added === 1 ? { items, total } : null;
  if (!isWholeItem || (!isFirst && (index === 0 || added === 0))) return null;
  return { items: items.toSpliced(index, 0, item).slice(0, maxItems), total };
}

function removeElsewhere({ items, total, isFirst }: Window, item: Item, { request, definition }: ListChange): Result {
  const isAfter = items.length > 0 && findIndex(items, item, definition.compare(request)) === items.length;
  return isFirst || isAfter ? { items, total: total - 1 } : null;
}

function isMoved({ change, request, definition }: ListChange): boolean {
  const fields = definition.orderFields?.(request);
  return change.action !== 'updated' || fields === undefined || hasChanged(change, fields);
}

function findIndex(items: readonly Item[], item: Item, compare: (a: Item, b: Item) => number): number {
  const index = items.findIndex((other) => compare(item, other) < 0);
  return index === -1 ? items.length : index;
}
