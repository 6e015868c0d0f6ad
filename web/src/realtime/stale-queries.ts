import type { Change } from '@atrium/proto-events/realtime';
import { isRecord } from '#lib/is-record.ts';
import { isId } from '#lib/paths.ts';
import {
  FIXED,
  type Fields,
  INVALIDATION_RULES,
  type InvalidationRule,
  type Item,
  isOwnMeetings,
  OWN_ACCOUNT_RULE,
} from './invalidation-rules.ts';

type Key = { path: string; query: URLSearchParams };
type ListRule = Extract<InvalidationRule, { kind: 'list' }>;

export type Staleness = 'none' | 'item' | 'all';

/** `data`: undefined where there is none or a request is in flight. */
export function staleness(key: unknown, change: Change, data?: unknown): Staleness {
  // A newer server may report resources that this version does not know.
  if (typeof key !== 'string' || !Object.hasOwn(INVALIDATION_RULES, change.resource)) return 'none';
  const [path = '', query] = key.split('?', 2);
  if (FIXED.includes(path)) return 'none';
  if (PROJECT_RESOURCES.includes(change.resource) && isInAnotherProject(path, change)) return 'none';
  const { own, several = false, rules } = INVALIDATION_RULES[change.resource];
  const matching = rules.filter((rule) => matchesPath(rule, path));
  const context = { change, data, key: { path, query: new URLSearchParams(query) } };
  if (change.asAdmin && isOwnMeetings(path, context.key.query)) return 'none';
  const affected = matching.filter((rule) => differs(rule, context));
  if (affected.some((rule) => !affectsOnlyItem(rule, context))) return 'all';
  if (affected.length > 0) return 'item';
  if (!isAtOrBelow(path, own) || matching.some(({ kind }) => kind !== 'references')) return 'none';
  return several || !isAnotherResource(path, own, change.id) ? 'all' : 'none';
}

export const isStale = (key: unknown, change: Change, data?: unknown): boolean =>
  staleness(key, change, data) !== 'none';

export const dependsOnOwnAccount = (key: string, change: Change): boolean =>
  OWN_ACCOUNT_RULE.paths.some((path) => isAtOrBelow(key.split('?', 1)[0] ?? '', path)) &&
  hasChanged(change, OWN_ACCOUNT_RULE.fields);

const OWNING_SERVICES: Readonly<Record<string, string>> = { tasks: 'projects', departments: 'users' };

const serviceOf = (path: string) => {
  const part = path.split(/[/?]/, 2)[1] ?? '';
  return OWNING_SERVICES[part] ?? part;
};

export const isFromOtherService = (key: string, change: Change, data?: unknown): boolean =>
  (isStale(key, change, data) || (change.resource === 'user' && dependsOnOwnAccount(key, change))) &&
  serviceOf(key) !== serviceOf(INVALIDATION_RULES[change.resource].own);

export type ItemsRule = ListRule & { items: string };

export function findItemsRule(key: string): ItemsRule | undefined {
  const path = key.split('?', 1)[0] ?? '';
  for (const { rules } of Object.values(INVALIDATION_RULES))
    for (const rule of rules)
      if (rule.kind === 'list' && rule.items && matchesPath(rule, path)) return { ...rule, items: rule.items };
  return undefined;
}

/** The key of the messages of a conversation, which Team Chat keeps outside of the cache. */
export const messagesKey = (conversation: string): string => `/chat/messages?conversation=${conversation}`;

/** Like `isStale`, for a change before the socket connected: its messages arrived on no socket either. */
export const isMissedChange = (key: string, change: Change, data?: unknown): boolean =>
  isStale(key, change, data) || (change.resource === 'message' && key === messagesKey(change.id));

type MatchContext = { change: Change; data: unknown; key: Key };

function differs(rule: InvalidationRule, context: MatchContext): boolean {
  const { change, data, key } = context;
  switch (rule.kind) {
    case 'one':
      return key.path === rule.path.replace(':id', change.id) && !isUpToDate(data, change);
    case 'list':
      return listDiffers(rule, context);
    case 'counts':
      return isCreatedOrDeleted(change) || hasChanged(change, rule.fields);
    case 'allExcept':
      return isCreatedOrDeleted(change) || !change.changed?.every((field) => rule.fields.includes(field));
    case 'isSet':
      return hasChanged(change, rule.fields) && (data === undefined || isEmpty(findItem(data, change), rule.fields));
    case 'permissions':
      return change.action !== 'created' && !isInAnotherProject(key.path, change) && hasChanged(change, rule.fields);
    case 'references':
      // A created resource has no references yet. Searches may match a new name.
      if (change.action === 'created' || isInAnotherProject(key.path, change)) return false;
      return hasChanged(change, rule.fields) && (data === undefined || references(data, change.id) || isSearch(key));
    case 'messages':
      return messagesDiffer(context);
  }
}

const isEmpty = (item: Item | undefined, fields: readonly string[]) =>
  item !== undefined && fields.every((field) => !item[field]);

function listDiffers(
  { path, shows, order, filters }: Extract<InvalidationRule, { kind: 'list' }>,
  context: MatchContext,
): boolean {
  const { change, data, key } = context;
  if (path.includes(':id') && isInAnotherProject(key.path, change)) return false;
  if (data === undefined) {
    if (change.action === 'created') return !isFilteredOut(key, change);
    return [shows, order, ...filterFields(filters, key)].some((fields) => hasChanged(change, fields));
  }
  const item = findItem(data, change);
  if (item) return change.action === 'deleted' || (hasChanged(change, shows) && !isUpToDate(item, change));
  if (change.action === 'deleted') return !isComplete(data);
  if (isFilteredOut(key, change)) return false;
  // A creation merged with later changes has no field names.
  if (change.action === 'created' || change.changed === undefined) return true;
  if (filterFields(filters, key).some((fields) => hasChanged(change, fields))) return true;
  return !isComplete(data) && hasChanged(change, order);
}

function affectsOnlyItem(rule: InvalidationRule, { change, data, key }: MatchContext): boolean {
  if (rule.kind !== 'list' || !rule.items || change.action !== 'updated' || !change.changed) return false;
  if (!isRecord(data) || findItem(data, change) === undefined) return false;
  if (filterFields(rule.filters, key).some((fields) => hasChanged(change, fields))) return false;
  if (!hasChanged(change, rule.order)) return true;
  return rule.before !== undefined && (isComplete(data) || Number(key.query.get('page') ?? 1) === 1);
}

/** Conversations after a message or its edit, whose `version` is the seq. */
function messagesDiffer({ change, data, key }: MatchContext): boolean {
  const conversationId = key.path.split('/')[3];
  if (conversationId !== undefined && conversationId !== change.id) return false;
  if (data === undefined) return true;
  const known = conversationId === undefined ? itemsOf(data).find(({ _id }) => _id === change.id) : data;
  if (isRecord(known) && typeof known.lastSeq === 'number')
    return change.action === 'created' ? known.lastSeq < change.version : known.lastSeq <= change.version;
  // A message moves its conversation to the first page.
  return change.action === 'created' && !isComplete(data) && Number(key.query.get('page') ?? 1) === 1;
}

const filterFields = (filters: Readonly<Record<string, Fields>>, { query }: Key) =>
  Object.entries(filters).flatMap(([name, fields]) => (name === '' || query.get(name) ? [fields] : []));

function isFilteredOut({ query }: Key, { status }: Change): boolean {
  const wanted = query.get('status');
  return Boolean(wanted) && status !== undefined && !wanted?.split(',').includes(status);
}

const isSearch = ({ query }: Key) => Boolean(query.get('search'));

const isUpToDate = (item: unknown, { action, version }: Change) =>
  action !== 'deleted' && version > 0 && isRecord(item) && typeof item.version === 'number' && item.version >= version;

const isCreatedOrDeleted = ({ action }: Change) => action !== 'updated';

/** Missing field names mean any field. */
const hasChanged = ({ changed }: Change, fields: Fields) =>
  fields === 'any' || changed === undefined || changed.some((field) => fields.includes(field));

const findItem = (data: unknown, { id }: Change): Item | undefined => itemsOf(data).find(({ _id }) => _id === id);

export function itemsOf(data: unknown): Item[] {
  const items = isRecord(data) && !Array.isArray(data) ? data.data : data;
  return Array.isArray(items) ? items.filter(isRecord) : [];
}

export const isComplete = (data: unknown) =>
  isRecord(data) && data.more === undefined && typeof data.total === 'number' && itemsOf(data).length >= data.total;

/** Whether the data contains the resource or belongs to that project. Bare ids, such as `createdBy`, do not count. */
const references = (data: unknown, id: string): boolean =>
  isRecord(data) &&
  Object.entries(data).some(
    ([name, value]) => ((name === '_id' || name === 'project') && value === id) || references(value, id),
  );

const PROJECT_RESOURCES: readonly Change['resource'][] = ['task', 'meeting', 'document'];

function isInAnotherProject(path: string, { resource, id, scope }: Change): boolean {
  const [, ofPath] = /^\/(?:tasks|meetings|documents)\/project\/([^/]+)/.exec(path) ?? [];
  const ofChange = resource === 'project' ? id : scope?.project;
  return ofPath !== undefined && ofChange !== undefined && ofPath !== ofChange;
}

function isAnotherResource(path: string, own: string, id: string): boolean {
  const first = path.slice(own.length + 1).split('/', 1)[0] ?? '';
  return isId(first) && first !== id;
}

const matchesPath = ({ kind, path }: InvalidationRule, requested: string) =>
  kind === 'references' || kind === 'permissions' || kind === 'messages'
    ? isAtOrBelow(requested, path)
    : matchesPattern(requested, path);

export function matchesPattern(requested: string, path: string): boolean {
  const [parts, pattern] = [requested.split('/'), path.split('/')];
  return (
    parts.length === pattern.length &&
    pattern.every((part, index) => (part === ':id' ? isId(parts[index] ?? '') : part === parts[index]))
  );
}

export const isAtOrBelow = (path: string, place: string) => path === place || path.startsWith(`${place}/`);
