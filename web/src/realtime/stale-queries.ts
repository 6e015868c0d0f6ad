import type { Change } from '@atrium/proto-events/realtime';
import { isRecord } from '#lib/is-record.ts';
import { isId } from '#lib/paths.ts';
import {
  type Fields,
  INVALIDATION_RULES,
  type InvalidationRule,
  type Item,
  isOwnMeetings,
  type ListRule,
  OWN_ACCOUNT_RULE,
  UNAFFECTED_PATHS,
} from './invalidation-rules.ts';
import { messageRangeOf } from './message-range.ts';

type Key = { path: string; query: URLSearchParams };

export type Staleness = 'none' | 'item' | 'all';

/** `data` is undefined if there is none or a request is in flight. */
export function staleness(key: unknown, change: Change, data?: unknown): Staleness {
  // A newer server may report resources that this version does not know.
  if (typeof key !== 'string' || !Object.hasOwn(INVALIDATION_RULES, change.resource)) return 'none';
  const [path = '', query] = key.split('?', 2);
  if (UNAFFECTED_PATHS.includes(path)) return 'none';
  if (PROJECT_RESOURCES.includes(change.resource) && isInDifferentProject(path, change)) return 'none';
  const { basePath, several = false, rules } = INVALIDATION_RULES[change.resource];
  const matchingRules = rules.filter((rule) => matchesPath(rule, path));
  const context = { change, data, key: { path, query: new URLSearchParams(query) } };
  if (change.asAdmin && isOwnMeetings(path, context.key.query)) return 'none';
  const affectedRules = matchingRules.filter((rule) => differs(rule, context));
  if (affectedRules.some((rule) => !affectsOnlyItem(rule, context))) return 'all';
  if (affectedRules.length > 0) return 'item';
  if (!isAtOrBelow(path, basePath) || matchingRules.some(({ kind }) => kind !== 'references')) return 'none';
  return several || !isDifferentResource(path, basePath, change.id) ? 'all' : 'none';
}

export const isStale = (key: unknown, change: Change, data?: unknown): boolean =>
  staleness(key, change, data) !== 'none';

export const dependsOnOwnAccount = (key: string, change: Change): boolean =>
  OWN_ACCOUNT_RULE.paths.some((path) => isAtOrBelow(key.split('?', 1)[0] ?? '', path)) &&
  hasChanged(change, OWN_ACCOUNT_RULE.fields);

const OWNING_SERVICES: Readonly<Record<string, string>> = { tasks: 'projects', departments: 'users' };

const getService = (path: string) => {
  const part = path.split(/[/?]/, 2)[1] ?? '';
  return OWNING_SERVICES[part] ?? part;
};

export const isFromOtherService = (key: string, change: Change, data?: unknown): boolean =>
  (isStale(key, change, data) || (change.resource === 'user' && dependsOnOwnAccount(key, change))) &&
  getService(key) !== getService(INVALIDATION_RULES[change.resource].basePath);

export type ItemsRule = ListRule & { items: string };

export function findItemsRule(key: string): ItemsRule | undefined {
  const path = key.split('?', 1)[0] ?? '';
  for (const { rules } of Object.values(INVALIDATION_RULES))
    for (const rule of rules)
      if (rule.kind === 'list' && rule.items && matchesPath(rule, path)) return { ...rule, items: rule.items };
  return undefined;
}

/** Returns the key of the messages of a conversation, which Team Chat keeps outside the cache. */
export const messagesKey = (conversationId: string): string => `/chat/messages?conversation=${conversationId}`;

/** Like `isStale`, but for a change before the socket connected, whose messages were not received either. */
export function isMissedChange(key: string, change: Change, data?: unknown): boolean {
  const range = messageRangeOf(change);
  return isStale(key, change, data) || (range !== null && key === messagesKey(range.conversation));
}

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
      return change.action !== 'created' && !isInDifferentProject(key.path, change) && hasChanged(change, rule.fields);
    case 'references':
      // A created resource has no references yet. Searches may match a new name.
      if (change.action === 'created' || isInDifferentProject(key.path, change)) return false;
      return hasChanged(change, rule.fields) && (data === undefined || references(data, change.id) || isSearch(key));
    case 'messages':
      return messagesDiffer(context);
  }
}

const isEmpty = (item: Item | undefined, fields: readonly string[]) =>
  item !== undefined && fields.every((field) => !item[field]);

function listDiffers({ path, shows, order, filters }: ListRule, context: MatchContext): boolean {
  const { change, data, key } = context;
  if (path.includes(':id') && isInDifferentProject(key.path, change)) return false;
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

/** Whether a response with conversations lacks a message or its edit. */
function messagesDiffer({ change, data, key }: MatchContext): boolean {
  const range = messageRangeOf(change);
  const keyConversation = key.path.split('/')[3];
  if (!range || (keyConversation !== undefined && keyConversation !== range.conversation)) return false;
  if (data === undefined) return true;
  const cached = keyConversation === undefined ? itemsOf(data).find(({ _id }) => _id === range.conversation) : data;
  if (isRecord(cached) && typeof cached.lastSeq === 'number')
    return change.action === 'created' ? cached.lastSeq < range.lastSeq : cached.lastSeq <= range.lastSeq;
  // A message moves its conversation to the first page.
  return change.action === 'created' && !isComplete(data) && Number(key.query.get('page') ?? 1) === 1;
}

const filterFields = (filters: Readonly<Record<string, Fields>>, { query }: Key) =>
  Object.entries(filters).flatMap(([name, fields]) => (name === '' || query.get(name) ? [fields] : []));

function isFilteredOut({ query }: Key, { status }: Change): boolean {
  const statuses = query.get('status');
  return Boolean(statuses) && status !== undefined && !statuses?.split(',').includes(status);
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

function isInDifferentProject(path: string, { resource, id, scope }: Change): boolean {
  const [, pathProject] = /^\/(?:tasks|meetings|documents)\/project\/([^/]+)/.exec(path) ?? [];
  const changeProject = resource === 'project' ? id : scope?.project;
  return pathProject !== undefined && changeProject !== undefined && pathProject !== changeProject;
}

function isDifferentResource(path: string, basePath: string, id: string): boolean {
  const firstSegment = path.slice(basePath.length + 1).split('/', 1)[0] ?? '';
  return isId(firstSegment) && firstSegment !== id;
}

const matchesPath = ({ kind, path: rulePath }: InvalidationRule, path: string) =>
  kind === 'references' || kind === 'permissions' || kind === 'messages'
    ? isAtOrBelow(path, rulePath)
    : matchesPattern(path, rulePath);

export function matchesPattern(path: string, pattern: string): boolean {
  const parts = path.split('/');
  const patternParts = pattern.split('/');
  return (
    parts.length === patternParts.length &&
    patternParts.every((part, index) => (part === ':id' ? isId(parts[index] ?? '') : part === parts[index]))
  );
}

export const isAtOrBelow = (path: string, parentPath: string) =>
  path === parentPath || path.startsWith(`${parentPath}/`);
