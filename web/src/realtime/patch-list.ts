import type { Change } from '@atrium/proto-events/realtime';
import type { ListResponse, ResponseRequest } from '@atrium/proto-events/responses/response';
import { isIncluded } from '@atrium/proto-events/responses/transactions';
import { isRecord } from '#lib/is-record.ts';
import type { Edited } from '#lib/query/query-cache.ts';
import { hasChanged, type Item, isOlder, itemsOf } from './items.ts';

type ListChange = {
  change: Change;
  request: ResponseRequest;
  definition: ListResponse<Item>;
  /** Whether the item of the change lacks a field that has changed. */
  isPartlyUnknown: boolean;
  /** Whether the item of the change has all fields that the list shows. */
  isWholeItem: boolean;
  /** Whether what a new item lets the user do is unknown. */
  isMembershipUnknown: boolean;
  /** Returns the changed item, from the current one in the list. */
  merge: (current: Item | undefined) => Item;
};

/** The part of a list in a response: its first items, or a later page. */
type Window = {
  items: readonly Item[];
  total: number;
  /** Number of items before these. */
  offset: number;
  /** Whether no items follow these. */
  isEnd: boolean;
  limit: number;
  maxItems: number;
};

/** Null if only the service knows the result. */
type Result = {
  items: readonly Item[];
  total: number;
  isTotalUnknown?: boolean;
  /** Whether only the service knows an item that has moved up into the page, or part of a new one. */
  isIncomplete?: boolean;
} | null;

/** The end of a page with as many items is seldom visible. */
export const LONG_PAGE = 20;

/** Applies a change to a page of a list, by the rules of the list. */
export function patchList(data: unknown, listChange: ListChange): Edited {
  const window = readWindow(data, listChange.request.query);
  if (!window) return { data, isStale: true };
  const current = window.items.find(({ _id }) => _id === listChange.change.id);
  const change = findNewPart(data, listChange.change, current);
  if (change === null) return { data, isStale: true };
  if (!change || (current && isOlder(change, current))) return { data, isStale: false };
  const newPart = { ...listChange, change };
  const result = current ? changeListed(window, current, newPart) : changeUnlisted(window, newPart);
  if (result === null) return { data, isStale: true };
  const patched = writeWindow(data, window, result);
  const { isTotalUnknown = false, isIncomplete = false } = result;
  const isLong = window.maxItems >= LONG_PAGE;
  return {
    data: patched === data ? data : withPatch(patched, change),
    isStale: isTotalUnknown || (isIncomplete && !isLong),
    ...(isIncomplete && isLong && { isIncomplete }),
  };
}

/** Changes that a page includes beyond those of its `asOf`. */
type Included = { asOf?: unknown; patches?: readonly Patch[] };
type Patch = Pick<Change, 'id' | 'action' | 'version'>;

const MAX_PATCHES = 1_000;

/**
 * Returns what the page does not include yet: its total does not show that. Null if only the service knows, such as for a
 * creation that arrives after the user has updated the item.
 */
function findNewPart(data: unknown, change: Change, current: Item | undefined): Change | null | undefined {
  if (!isRecord(data)) return change;
  const { asOf, patches = [] } = data as Included;
  const { id, action, version, transaction } = change;
  const isRead = transaction !== undefined && typeof asOf === 'string' && asOf !== '' && isIncluded(asOf, transaction);
  if (isRead && !(current && isAhead(change, current))) return undefined;
  const applied = patches.filter((patch) => patch.id === id);
  if (applied.some((patch) => patch.action === 'deleted')) return undefined;
  if (action === 'deleted') return change;
  // A change without the item is about what the item does not show, such as the place of the user in a project.
  // The statistics of a user change without a new version.
  const isApplied = (patch: Patch) => patch.version > version || (patch.version === version && !current);
  const isCounted = action === 'updated' || applied.some((patch) => patch.action === 'created');
  if (change.item && applied.some(isApplied)) return isCounted ? undefined : null;
  if (action === 'updated' || !isCounted) return change;
  // A creation, merged with a later update, has been counted already.
  const { changed: _changed, ...rest } = change;
  return { ...rest, action: 'updated' };
}

/** Whether a page that was read after the change shows an item from before it, which an own write has added since. */
const isAhead = ({ action, item, version }: Change, current: Item) =>
  action === 'deleted' || (item !== undefined && version > Number(current.version));

/** Records that the page includes the change. */
function withPatch(data: unknown, { id, action, version }: Patch): unknown {
  if (!isRecord(data) || Array.isArray(data)) return data;
  const { patches = [] } = data as Included;
  const isOfItem = (patch: Patch) => patch.id === id;
  if (action !== 'deleted' && patches.some((patch) => isOfItem(patch) && patch.version >= version)) return data;
  const others = patches.filter((patch) => !isOfItem(patch) || patch.action === 'created');
  return { ...data, patches: [...others, { id, action, version }].slice(-MAX_PATCHES) };
}

function readWindow(data: unknown, query: URLSearchParams): Window | undefined {
  const limit = Number(query.get('limit') ?? 10);
  const maxItems = limit * Number(query.get('pages') ?? 1);
  const items = itemsOf(data);
  // A plain array has no total: a full one may be the beginning of a longer list.
  if (Array.isArray(data))
    return { items, total: items.length, offset: 0, isEnd: items.length < maxItems, limit, maxItems };
  if (!isRecord(data) || typeof data.total !== 'number') return undefined;
  const offset = (Number(query.get('page') ?? 1) - 1) * limit;
  // The end of a search with `more` matches than it counts is unknown.
  const isEnd = data.more === undefined && offset + items.length >= data.total;
  return { items, total: data.total, offset, isEnd, limit, maxItems };
}

/** Whether these are all items of the list. */
const isWhole = ({ offset, isEnd }: Window) => offset === 0 && isEnd;

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

/** Removes items that the user has deleted. */
export function removeItems(data: unknown, query: URLSearchParams, isDeleted: (item: Item) => boolean): Edited {
  const items = itemsOf(data);
  const remaining = items.filter((item) => !isDeleted(item));
  if (remaining.length === items.length) return { data, isStale: false };
  const window = readWindow(data, query);
  if (!window) return { data: { ...(data as object), data: remaining }, isStale: false };
  const total = window.total - (items.length - remaining.length);
  const patched = items
    .filter(isDeleted)
    .reduce<unknown>(
      (page, { _id: id }) => withPatch(page, { id, action: 'deleted', version: 0 }),
      writeWindow(data, window, { items: remaining, total }),
    );
  // Otherwise another item moves up into the page.
  return { data: patched, isStale: !window.isEnd };
}

function changeListed(window: Window, current: Item, listChange: ListChange): Result {
  const { change, request, definition } = listChange;
  const others = window.items.filter((item) => item !== current);
  const removed = { items: others, total: window.total - 1, isIncomplete: !window.isEnd };
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
  const isPlaceKnown = (index < others.length || window.isEnd) && (index > 0 || window.offset === 0);
  return isPlaceKnown ? { items: others.toSpliced(index, 0, item), total: window.total } : null;
}

function changeUnlisted(window: Window, listChange: ListChange): Result {
  const { change, request, definition } = listChange;
  const isRefiltered = hasChanged(change, definition.filterFields(request));
  if (change.action === 'deleted' && isWhole(window)) return window;
  if (change.action === 'updated' && !isRefiltered && (isWhole(window) || !isMoved(listChange))) return window;
  if (!change.item) return null;
  const item = listChange.merge(undefined);
  const isListed = definition.matches(item, request);
  if (isListed === undefined) return null;
  const isNew = change.action === 'created' || (change.action === 'updated' && isWhole(window));
  if (isNew) return isListed ? insert(window, item, listChange, 1) : window;
  if (change.action === 'updated' && isRefiltered) return moveBetween(window, { item, isListed }, listChange);
  if (!isListed) return window;
  return change.action === 'deleted' ? removeElsewhere(window, item, listChange) : insert(window, item, listChange, 0);
}

/** Applies a change of what the list is filtered by, to an item that may have been on another page. */
function moveBetween(window: Window, after: { item: Item; isListed: boolean }, listChange: ListChange): Result {
  const { request, definition } = listChange;
  const { item, isListed } = after;
  const previous = previousItem(item, listChange);
  if (!previous) return isListed ? insertUncounted(window, item, listChange) : null;
  const wasListed = definition.matches(previous, request);
  if (wasListed === undefined) return null;
  if (isListed) return insert(window, item, listChange, wasListed ? 0 : 1);
  return wasListed ? removeElsewhere(window, previous, listChange) : window;
}

/** Returns undefined if an earlier value is unknown by which the list is filtered or sorted. */
function previousItem(item: Item, { change, request, definition }: ListChange): Item | undefined {
  const { changed, previous } = change;
  if (!changed || !previous) return undefined;
  const fields = [...definition.filterFields(request), ...(definition.orderFields?.(request) ?? [])];
  const isKnown = fields.every((field) => field in previous || !changed.includes(field));
  return isKnown ? { ...item, ...previous } : undefined;
}

function insert(window: Window, item: Item, listChange: ListChange, added: 0 | 1): Result {
  const { change, request, definition, isWholeItem, isMembershipUnknown } = listChange;
  const { items, offset, isEnd, maxItems } = window;
  const total = window.total + added;
  // An own new item has no transaction: a response in flight may count it already, without showing it.
  const unshown = added > 0 && change.transaction === undefined ? null : { items, total };
  if (total <= offset) return unshown;
  const index = findIndex(items, item, definition.compare(request));
  const isBefore = offset > 0 && index === 0;
  const isAfter = index === items.length && !isEnd;
  // Where it was before is unknown, and so is what moves between pages.
  if (isBefore || (offset > 0 && added === 0)) return null;
  if (isAfter) return unshown;
  if (!isWholeItem) return null;
  return { items: items.toSpliced(index, 0, item).slice(0, maxItems), total, isIncomplete: isMembershipUnknown };
}

/**
 * The item may have been on another page before, so that only the service knows the total. It is shown at once, so that a
 * task that the user moves to another column does not disappear until then.
 */
function insertUncounted(window: Window, item: Item, listChange: ListChange): Result {
  const result = insert(window, item, listChange, 1);
  return result && result.items !== window.items ? { ...result, isTotalUnknown: true } : null;
}

function removeElsewhere({ items, total, offset }: Window, item: Item, listChange: ListChange): Result {
  const { request, definition, isWholeItem } = listChange;
  const isAfter = findIndex(items, item, definition.compare(request)) === items.length;
  if (offset > 0 && (!isWholeItem || !isAfter || items.length === 0)) return null;
  // An item between those of the page was deleted while the page was read, which is therefore too short.
  return { items, total: total - 1, isIncomplete: !isAfter };
}

function isMoved({ change, request, definition }: ListChange): boolean {
  const fields = definition.orderFields?.(request);
  return change.action !== 'updated' || fields === undefined || hasChanged(change, fields);
}

/** Searches a sorted list by bisection, because comparing names takes long. */
function findIndex(items: readonly Item[], item: Item, compare: (a: Item, b: Item) => number): number {
  let from = 0;
  let to = items.length;
  while (from < to) {
    const middle = (from + to) >> 1;
    const other = items[middle];
    if (other && compare(item, other) < 0) to = middle;
    else from = middle + 1;
  }
  return from;
}
