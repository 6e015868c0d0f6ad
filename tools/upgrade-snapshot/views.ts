import { findService } from '@atrium/gateway/upstream/upstreams';
import { insertPeople } from '@atrium/proto-events/insert-people';
import { DEMO_PASSWORD, demoEmail } from '../demo/people.ts';

export const VIEWERS = ['maya', 'jonas', 'lena'] as const;
export type Viewer = (typeof VIEWERS)[number];

/** Requests a path below `/api` as one of the demo users. */
type FetchAs = (viewer: Viewer, path: string) => Promise<unknown>;

/**
 * Does not reuse connections, because a connection to a process that has ended would fail. Throws unless the status is
 * 200.
 */
async function fetchOk(url: string, { headers, ...init }: RequestInit & { headers: Record<string, string> }) {
  const response = await fetch(url, { ...init, headers: { connection: 'close', ...headers } });
  const text = await response.text();
  if (response.status !== 200) throw new Error(`${url} failed with status ${response.status}: ${text}`);
  return JSON.parse(text) as unknown;
}

/** Creates a function that requests a path as one of the demo users, and throws unless the status is 200. */
export function createFetchAs({ tokensFrom, url }: { tokensFrom: string; url: string }): FetchAs {
  const tokens = new Map<Viewer, Promise<string>>();
  const signIn = async (viewer: Viewer) => {
    const body = JSON.stringify({ email: demoEmail(viewer), password: DEMO_PASSWORD });
    const headers = { 'content-type': 'application/json' };
    const session = await fetchOk(`${tokensFrom}/api/auth/login`, { method: 'POST', headers, body });
    return (session as { accessToken: string }).accessToken;
  };
  return async (viewer, path) => {
    if (!tokens.has(viewer)) tokens.set(viewer, signIn(viewer));
    return fetchOk(`${url}/api${path}`, { headers: { authorization: `Bearer ${await tokens.get(viewer)}` } });
  };
}

export type Views = Record<string, unknown>;

type Item = Record<string, unknown> & { _id: string };

const LISTS = [
  '/users',
  '/departments',
  '/projects',
  '/projects/my-projects',
  '/tasks',
  '/tasks/my-tasks',
  '/meetings?from=2026-11-01T00:00:00Z&to=2027-03-01T00:00:00Z',
  '/documents',
  '/chat/conversations',
  '/notifications',
] as const;

/**
 * Fetches all pages of all lists, with the tasks of each project and the messages of each conversation. If `service` is
 * set, fetches only those of that service.
 */
export async function captureViews(fetchAs: FetchAs, service?: string): Promise<Views> {
  const isIncluded = (path: string) =>
    service === undefined || findService(`/api${path.replace(/\?.*/, '')}`) === service;
  const views: Views = {};
  for (const viewer of VIEWERS) {
    for (const list of LISTS.filter(isIncluded))
      views[`${viewer} ${list}`] = await fetchAllPages(fetchAs, viewer, list);
    for (const { _id } of (views[`${viewer} /projects`] ?? []) as Item[])
      views[`${viewer} /tasks/project/${_id}`] = await fetchAllPages(fetchAs, viewer, `/tasks/project/${_id}`);
    for (const { _id } of (views[`${viewer} /chat/conversations`] ?? []) as Item[])
      views[`${viewer} messages of ${_id}`] = await fetchAllMessages(fetchAs, viewer, _id);
    if (isIncluded('/users/profile')) views[`${viewer} /users/profile`] = await fetchAs(viewer, '/users/profile');
  }
  return views;
}

async function fetchAllPages(fetchAs: FetchAs, viewer: Viewer, list: string): Promise<Item[]> {
  const items: Item[] = [];
  for (let page = 1, pages = 1; page <= pages; page += 1) {
    const response = await fetchAs(viewer, `${list}${list.includes('?') ? '&' : '?'}limit=100&page=${page}`);
    const { data, totalPages } = insertPeople(response) as { data: Item[]; totalPages: number };
    items.push(...data);
    pages = totalPages;
  }
  return items;
}

async function fetchAllMessages(fetchAs: FetchAs, viewer: Viewer, conversation: string): Promise<Item[]> {
  const items: Item[] = [];
  for (let before = ''; ; ) {
    const response = await fetchAs(viewer, `/chat/messages?conversation=${conversation}&limit=100${before}`);
    const { data, hasMore } = insertPeople(response) as { data: (Item & { seq: number })[]; hasMore: boolean };
    items.unshift(...data);
    const [first] = data;
    if (!hasMore || !first) return items;
    before = `&before=${first.seq}`;
  }
}

/** Fields that change without user activity: presigned links, times, and sign-ins. */
const VOLATILE_FIELDS = new Set(['downloadUrl', 'isPast', 'lastLogin']);

/** Possible results of a pending text extraction. */
const EXTRACTED_STATES: ReadonlySet<unknown> = new Set(['done', 'none', 'failed']);
const IS_DOCUMENT = /^\S+ \/documents\[\d+\]$/;

type Comparison = {
  /** Allows resources and changes that simulated users added in the meantime. */
  allowsOtherChanges?: boolean;
};

/** Fields of users, and of references to them, that change through simulated work. */
const WORKER_FIELDS: ReadonlySet<string> = new Set(['bio', 'version', 'tasksCompleted']);
const NO_FIELDS: ReadonlySet<string> = new Set();

export function findDifferences(
  before: Views,
  after: Views,
  { allowsOtherChanges = false }: Comparison = {},
): string[] {
  return Object.entries(before).flatMap(([view, seenThen]) => {
    const [seen, seenNow] = [withoutVolatile(seenThen), withoutVolatile(after[view])];
    const now = allowsOtherChanges ? pickPreviouslySeen(seen, seenNow) : seenNow;
    return compare(seen, now, view, allowsOtherChanges ? WORKER_FIELDS : NO_FIELDS).slice(0, 3);
  });
}

/** Notifications that depend on the time of day, or that the sign-ins of the comparison cause. */
const VOLATILE_KINDS: ReadonlySet<unknown> = new Set([
  'meetings.meeting.due',
  'projects.task.due',
  'auth.device.added',
]);

const withoutVolatile = (view: unknown): unknown =>
  Array.isArray(view) ? (view as Item[]).filter(({ kind }) => !VOLATILE_KINDS.has(kind)) : view;

function pickPreviouslySeen(before: unknown, after: unknown): unknown {
  if (!Array.isArray(before) || !Array.isArray(after)) return after;
  const ids = new Set((before as Item[]).map(({ _id }) => _id));
  return (after as Item[]).filter(({ _id }) => ids.has(_id));
}

function compare(before: unknown, after: unknown, path: string, ignoredUserFields: ReadonlySet<string>): string[] {
  if (Array.isArray(before)) {
    if (!Array.isArray(after) || after.length !== before.length)
      return [`${path}: ${before.length} before, ${Array.isArray(after) ? after.length : 'none'} now`];
    return before.flatMap((item, index) => compare(item, after[index], `${path}[${index}]`, ignoredUserFields));
  }
  if (typeof before === 'object' && before !== null) {
    const previous = before as Record<string, unknown>;
    const now = (typeof after === 'object' && after !== null ? after : {}) as Record<string, unknown>;
    const isUser = 'firstName' in previous;
    // A meeting that has ended in the meantime can no longer be changed or responded to.
    const hasMeetingEnded = previous.isPast === false && now.isPast === true;
    // Text extraction runs in the background, and its result is final.
    const hasExtractionEnded = EXTRACTED_STATES.has(now.text) && previous.text === 'pending' && IS_DOCUMENT.test(path);
    const comparedFields = Object.entries(previous).filter(
      ([name]) =>
        !VOLATILE_FIELDS.has(name) &&
        !(isUser && ignoredUserFields.has(name)) &&
        !(hasMeetingEnded && name === 'abilities') &&
        !(hasExtractionEnded && name === 'text'),
    );
    return comparedFields.flatMap(([name, value]) => compare(value, now[name], `${path}.${name}`, ignoredUserFields));
  }
  return before === after ? [] : [`${path}: ${JSON.stringify(before)} before, ${JSON.stringify(after)} now`];
}
