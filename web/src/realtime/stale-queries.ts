import type { Change } from '@atrium/proto-events/realtime';
import { isId } from '../lib/is-id.ts';
import { isRecord } from '../lib/is-record.ts';
import {
  FIXED,
  type Fields,
  INVALIDATION_RULES,
  type InvalidationRule,
  type Item,
  isOfInvited,
  OWN_DECIDES,
} from './invalidation-rules.ts';

type Key = { path: string; query: URLSearchParams };
type ListShowing = Extract<InvalidationRule, { kind: 'list' }>;

/** What of an answer may differ: nothing, the item of the list that the change is of, or anything. */
export type Staleness = 'none' | 'item' | 'all';

/**
 * What of the answer of an SWR key may differ after a change. `held` is the answer that is there; undefined where there is none, or where
 * another is on its way, of which nobody knows yet what is in it.
 */
export function staleness(key: unknown, change: Change, held?: unknown): Staleness {
  // A server that is newer than this page tells of what no screen of it shows.
  if (typeof key !== 'string' || !Object.hasOwn(INVALIDATION_RULES, change.resource)) return 'none';
  const [path = '', query] = key.split('?', 2);
  if (FIXED.includes(path)) return 'none';
  if (OF_A_PROJECT.includes(change.resource) && isOfAnotherProject(path, change)) return 'none';
  const { own, several = false, showings } = INVALIDATION_RULES[change.resource];
  const meant = showings.filter((showing) => isOf(showing, path));
  const given = { change, held, key: { path, query: new URLSearchParams(query) } };
  if (change.asAdmin && isOfInvited(path, given.key.query)) return 'none';
  const differing = meant.filter((showing) => differs(showing, given));
  if (differing.some((showing) => !isOfItem(showing, given))) return 'all';
  if (differing.length > 0) return 'item';
  if (!isBelow(path, own) || meant.some(({ kind }) => kind !== 'names')) return 'none';
  return several || !isOfAnother(path, own, change.id) ? 'all' : 'none';
}

/** Whether anything of the answer of an SWR key may differ after a change. */
export const isStale = (key: unknown, change: Change, held?: unknown): boolean =>
  staleness(key, change, held) !== 'none';

/** Whether what the person who is signed in may see or do there follows from what changed of them. */
export const isDecidedByOwn = (key: string, change: Change): boolean =>
  OWN_DECIDES.paths.some((path) => isBelow(key.split('?', 1)[0] ?? '', path)) && hasChanged(change, OWN_DECIDES.by);

/** What the service of another part answers. */
const HOMES: Readonly<Record<string, string>> = { tasks: 'projects', departments: 'users' };

const homeOf = (path: string) => {
  const part = path.split(/[/?]/, 2)[1] ?? '';
  return HOMES[part] ?? part;
};

/** Whether the answer of a key may differ after a change of what another service keeps than the one that answers it. */
export const isFromOtherService = (key: string, change: Change, held?: unknown): boolean =>
  (isStale(key, change, held) || (change.resource === 'user' && isDecidedByOwn(key, change))) &&
  homeOf(key) !== homeOf(INVALIDATION_RULES[change.resource].own);

export type ListOfItems = ListShowing & { items: string };

/** The list whose items the answer of a key has, where the server answers them by their ids. */
export function listOfItems(key: string): ListOfItems | undefined {
  const path = key.split('?', 1)[0] ?? '';
  for (const { showings } of Object.values(INVALIDATION_RULES))
    for (const showing of showings)
      if (showing.kind === 'list' && showing.items && isOf(showing, path)) return { ...showing, items: showing.items };
  return undefined;
}

/** The same of a change that was told before this browser was there to hear it: what was said came by no socket either. */
export const mayHaveMissed = (key: string, change: Change, held?: unknown): boolean =>
  isStale(key, change, held) || (change.resource === 'message' && key === `/chat/messages?conversation=${change.id}`);

type Given = { change: Change; held: unknown; key: Key };

function differs(showing: InvalidationRule, given: Given): boolean {
  const { change, held, key } = given;
  switch (showing.kind) {
    case 'one':
      return key.path === showing.path.replace(':id', change.id) && !isKnown(held, change);
    case 'list':
      return listDiffers(showing, given);
    case 'counts':
      return isCreatedOrDeleted(change) || hasChanged(change, showing.of);
    case 'most':
      return isCreatedOrDeleted(change) || !change.changed?.every((field) => showing.but.includes(field));
    case 'whether':
      return hasChanged(change, showing.of) && (held === undefined || isEmpty(itemOf(held, change), showing.of));
    case 'decides':
      return change.action !== 'created' && !isOfAnotherProject(key.path, change) && hasChanged(change, showing.by);
    case 'names':
      // What is new stands nowhere under its name yet. Who searches may find it by another.
      if (change.action === 'created' || isOfAnotherProject(key.path, change)) return false;
      return hasChanged(change, showing.of) && (held === undefined || mentions(held, change.id) || isSearch(key));
    case 'messages':
      return messagesDiffer(given);
  }
}

/** Whether an item is shown and has nothing in these fields so far. */
const isEmpty = (item: Item | undefined, fields: readonly string[]) =>
  item !== undefined && fields.every((field) => !item[field]);

function listDiffers(
  { path, shows, order, filters }: Extract<InvalidationRule, { kind: 'list' }>,
  given: Given,
): boolean {
  const { change, held, key } = given;
  if (path.includes(':id') && isOfAnotherProject(key.path, change)) return false;
  if (held === undefined) {
    if (change.action === 'created') return !isLeftOut(key, change);
    return [shows, order, ...filterFields(filters, key)].some((fields) => hasChanged(change, fields));
  }
  const item = itemOf(held, change);
  if (item) return change.action === 'deleted' || (hasChanged(change, shows) && !isKnown(item, change));
  if (change.action === 'deleted') return !isWhole(held);
  if (isLeftOut(key, change)) return false;
  // Of what was made and then changed nobody says more than that it changed.
  if (change.action === 'created' || change.changed === undefined) return true;
  if (filterFields(filters, key).some((fields) => hasChanged(change, fields))) return true;
  // Of a list that is all there, nothing stands on a later page.
  return !isWhole(held) && hasChanged(change, order);
}

/** Whether what differs is one item that stays in its list, at a place that the screen can tell. */
function isOfItem(showing: InvalidationRule, { change, held, key }: Given): boolean {
  if (showing.kind !== 'list' || !showing.items || change.action !== 'updated' || !change.changed) return false;
  if (!isRecord(held) || itemOf(held, change) === undefined) return false;
  if (filterFields(showing.filters, key).some((fields) => hasChanged(change, fields))) return false;
  if (!hasChanged(change, showing.order)) return true;
  return showing.before !== undefined && (isWhole(held) || Number(key.query.get('page') ?? 1) === 1);
}

/** What a message, or a change of one, makes of conversations; its version is its seq. */
function messagesDiffer({ change, held, key }: Given): boolean {
  const ofOne = key.path.split('/')[3];
  if (ofOne !== undefined && ofOne !== change.id) return false;
  if (held === undefined) return true;
  const known = ofOne === undefined ? itemsOf(held).find(({ _id }) => _id === change.id) : held;
  if (isRecord(known) && typeof known.lastSeq === 'number')
    return change.action === 'created' ? known.lastSeq < change.version : known.lastSeq <= change.version;
  // What is said brings its conversation to the first page.
  return change.action === 'created' && !isWhole(held) && Number(key.query.get('page') ?? 1) === 1;
}

/** The fields that decide what is in a list. */
const filterFields = (filters: Readonly<Record<string, Fields>>, { query }: Key) =>
  Object.entries(filters).flatMap(([name, fields]) => (name === '' || query.get(name) ? [fields] : []));

/** Whether it is in none of the states that a list is of. */
function isLeftOut({ query }: Key, { status }: Change): boolean {
  const wanted = query.get('status');
  return Boolean(wanted) && status !== undefined && !wanted?.split(',').includes(status);
}

const isSearch = ({ query }: Key) => Boolean(query.get('search'));

/** Whether an answer has a change already: one to a question that was asked after it. */
const isKnown = (item: unknown, { action, version }: Change) =>
  action !== 'deleted' && version > 0 && isRecord(item) && typeof item.version === 'number' && item.version >= version;

const isCreatedOrDeleted = ({ action }: Change) => action !== 'updated';

/** Of what was made and then changed nobody says which. */
const hasChanged = ({ changed }: Change, fields: Fields) =>
  fields === 'any' || changed === undefined || changed.some((field) => fields.includes(field));

const itemOf = (held: unknown, { id }: Change): Item | undefined => itemsOf(held).find(({ _id }) => _id === id);

/** Answers are pages, or plain lists. */
export function itemsOf(held: unknown): Item[] {
  const items = isRecord(held) && !Array.isArray(held) ? held.data : held;
  return Array.isArray(items) ? items.filter(isRecord) : [];
}

/** Whether a list is all there. */
export const isWhole = (held: unknown) =>
  isRecord(held) && held.more === undefined && typeof held.total === 'number' && itemsOf(held).length >= held.total;

/** Whether something in an answer shows it, or belongs to that project; a bare id beside something, such as `createdBy`, shows nothing of it. */
const mentions = (held: unknown, id: string): boolean =>
  isRecord(held) &&
  Object.entries(held).some(
    ([name, value]) => ((name === '_id' || name === 'project') && value === id) || mentions(value, id),
  );

/** What belongs to a project, and stands in the lists of that one alone. */
const OF_A_PROJECT: readonly Change['resource'][] = ['task', 'meeting', 'document'];

/** Lists of tasks, meetings and documents belong to the project of their path. */
function isOfAnotherProject(path: string, { resource, id, scope }: Change): boolean {
  const [, ofPath] = /^\/(?:tasks|meetings|documents)\/project\/([^/]+)/.exec(path) ?? [];
  const ofChange = resource === 'project' ? id : scope?.project;
  return ofPath !== undefined && ofChange !== undefined && ofPath !== ofChange;
}

function isOfAnother(path: string, own: string, id: string): boolean {
  const first = path.slice(own.length + 1).split('/', 1)[0] ?? '';
  return isId(first) && first !== id;
}

const isOf = ({ kind, path }: InvalidationRule, asked: string) =>
  kind === 'names' || kind === 'decides' || kind === 'messages' ? isBelow(asked, path) : isLike(asked, path);

/** Whether a path is one of a pattern, in which `:id` stands for any one. */
export function isLike(asked: string, path: string): boolean {
  const [parts, pattern] = [asked.split('/'), path.split('/')];
  return (
    parts.length === pattern.length &&
    pattern.every((part, index) => (part === ':id' ? isId(parts[index] ?? '') : part === parts[index]))
  );
}

export const isBelow = (path: string, place: string) => path === place || path.startsWith(`${place}/`);
