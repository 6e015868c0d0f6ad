import { serviceOf } from '@atrium/gateway/upstream/upstreams';

/** Requests a path below `/api` as one of the demo users. */
export type Ask = (who: Viewer, path: string) => Promise<unknown>;

/** An administrator, a project manager, and a member of the demo. */
export const VIEWERS = ['maya', 'jonas', 'lena'] as const;
export type Viewer = (typeof VIEWERS)[number];

/** The password of all demo users (tools/demo). */
export const PASSWORD = 'Atrium#2026';
export const emailOf = (first: string) => `${first}@atrium.example`;

/** What users see, by user and path. */
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

/** Reads all pages of all lists as each viewer, with the tasks of each project and the messages of each conversation; or only those of one service. */
export async function captureViews(ask: Ask, service?: string): Promise<Views> {
  const isAsked = (path: string) => service === undefined || serviceOf(`/api${path.replace(/\?.*/, '')}`) === service;
  const views: Views = {};
  for (const who of VIEWERS) {
    for (const list of LISTS.filter(isAsked)) views[`${who} ${list}`] = await everyPage(ask, who, list);
    for (const { _id } of (views[`${who} /projects`] ?? []) as Item[])
      views[`${who} /tasks/project/${_id}`] = await everyPage(ask, who, `/tasks/project/${_id}`);
    for (const { _id } of (views[`${who} /chat/conversations`] ?? []) as Item[])
      views[`${who} messages of ${_id}`] = await everyMessage(ask, who, _id);
    if (isAsked('/users/profile')) views[`${who} /users/profile`] = await ask(who, '/users/profile');
  }
  return views;
}

async function everyPage(ask: Ask, who: Viewer, list: string): Promise<Item[]> {
  const found: Item[] = [];
  for (let page = 1, pages = 1; page <= pages; page += 1) {
    const answer = await ask(who, `${list}${list.includes('?') ? '&' : '?'}limit=100&page=${page}`);
    const { data, totalPages } = answer as { data: Item[]; totalPages: number };
    found.push(...data);
    pages = totalPages;
  }
  return found;
}

async function everyMessage(ask: Ask, who: Viewer, conversation: string): Promise<Item[]> {
  const found: Item[] = [];
  for (let before = ''; ; ) {
    const answer = await ask(who, `/chat/messages?conversation=${conversation}&limit=100${before}`);
    const { data, hasMore } = answer as { data: (Item & { seq: number })[]; hasMore: boolean };
    found.unshift(...data);
    const [first] = data;
    if (!hasMore || !first) return found;
    before = `&before=${first.seq}`;
  }
}

/** Fields that change without user activity: presigned links, times, and sign-ins. */
const VOLATILE_FIELDS = new Set(['downloadUrl', 'isPast', 'lastLogin']);

/** Possible results of a pending text extraction. */
const EXTRACTED_STATES: ReadonlySet<unknown> = new Set(['done', 'none', 'failed']);
const IS_DOCUMENT = /^\S+ \/documents\[\d+\]$/;

type Comparison = {
  /** Whether other users have added resources and changed data in the meantime. */
  others?: boolean;
};

/** Fields that change through simulated work. */
const WORKER_FIELDS = new Set(['bio', 'version', 'tasksCompleted']);

/** Differences between two captures. New fields are allowed. */
export function findDifferences(before: Views, after: Views, { others = false }: Comparison = {}): string[] {
  return Object.entries(before).flatMap(([view, seen]) => {
    const now = others ? pickKnown(seen, after[view]) : after[view];
    const passing = others && /\/users/.test(view) ? new Set([...VOLATILE_FIELDS, ...WORKER_FIELDS]) : VOLATILE_FIELDS;
    return compare(seen, now, view, passing).slice(0, 3);
  });
}

function pickKnown(before: unknown, after: unknown): unknown {
  if (!Array.isArray(before) || !Array.isArray(after)) return after;
  const ids = new Set((before as Item[]).map(({ _id }) => _id));
  return (after as Item[]).filter(({ _id }) => ids.has(_id));
}

function compare(before: unknown, after: unknown, place: string, passing: ReadonlySet<string>): string[] {
  if (Array.isArray(before)) {
    if (!Array.isArray(after) || after.length !== before.length)
      return [`${place}: ${before.length} before, ${Array.isArray(after) ? after.length : 'none'} now`];
    return before.flatMap((one, index) => compare(one, after[index], `${place}[${index}]`, passing));
  }
  if (typeof before === 'object' && before !== null) {
    const was = before as Record<string, unknown>;
    const now = (typeof after === 'object' && after !== null ? after : {}) as Record<string, unknown>;
    // A meeting that has ended since can no longer be changed or responded to.
    const hasEnded = was.isPast === false && now.isPast === true;
    // Text extraction runs in the background, and its result is final.
    const wasRead = EXTRACTED_STATES.has(now.text) && was.text === 'pending' && IS_DOCUMENT.test(place);
    const kept = Object.entries(was).filter(
      ([name]) => !passing.has(name) && !(hasEnded && name === 'abilities') && !(wasRead && name === 'text'),
    );
    return kept.flatMap(([name, value]) => compare(value, now[name], `${place}.${name}`, passing));
  }
  return before === after ? [] : [`${place}: ${JSON.stringify(before)} before, ${JSON.stringify(after)} now`];
}
