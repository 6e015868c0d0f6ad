import type { Change } from '@atrium/proto-events/realtime';
import { DISPLAY_NAME_FIELDS, USER_LIST_FIELDS } from '@atrium/proto-events/topics';

type Resource = Change['resource'];
export type Item = Readonly<Record<string, unknown>>;
export type Fields = readonly string[] | 'any';

export type Before = (a: Item, b: Item) => boolean;

/**
 * Which responses show a resource, by the path of their keys; `:id` matches any id.
 *
 * Example: a task's `status` changes from `todo` to `done`. For the key `/tasks/project/<id>?status=todo`, the rule
 * `list('/tasks/project/:id', ALL_TASKS)` matches: the query filters by `status`, which has changed, so the whole list may
 * differ. Without the filter only the item differs, because `status` is not in `order`, and it is fetched by
 * `/tasks?ids=` (`items`). For `/tasks/stats`, `counts` lists `status`, so the counts are refetched.
 */
export type InvalidationRule = { path: string } & (
  | { kind: 'one' }
  /**
   * A list that shows the fields `shows` of each item. `order`: fields that determine the position. `filters`: the
   * fields that each query parameter filters by, `''` for the path itself. `items`: the path that returns the same
   * items by `ids`. `before`: comparator, where the client can sort; `sorts`: comparators by `sort` parameter.
   */
  | {
      kind: 'list';
      shows: Fields;
      order: Fields;
      filters: Readonly<Record<string, Fields>>;
      items?: string;
      before?: Before;
      sorts?: Readonly<Record<string, Before>>;
    }
  | { kind: 'counts'; fields: Fields }
  | { kind: 'allExcept'; fields: readonly string[] }
  /** Items that state whether any of these fields is set, without their values. */
  | { kind: 'isSet'; fields: readonly string[] }
  /** References in responses about other resources, here and below. */
  | { kind: 'references'; fields: Fields }
  /** Access to everything here and below depends on these fields; a creation has no effect yet. */
  | { kind: 'permissions'; fields: Fields }
  | { kind: 'messages' }
);

const list = (
  path: string,
  what: Omit<Extract<InvalidationRule, { kind: 'list' }>, 'kind' | 'path'>,
): InvalidationRule => ({
  kind: 'list',
  path,
  ...what,
});
const one = (path: string): InvalidationRule => ({ kind: 'one', path });
const counts = (path: string, fields: Fields): InvalidationRule => ({ kind: 'counts', path, fields });
const allExcept = (path: string, fields: readonly string[]): InvalidationRule => ({ kind: 'allExcept', path, fields });
const isSet = (path: string, fields: readonly string[]): InvalidationRule => ({ kind: 'isSet', path, fields });
const permissions = (path: string, fields: Fields): InvalidationRule => ({ kind: 'permissions', path, fields });
const references = (fields: Fields, ...paths: string[]) =>
  paths.map((path): InvalidationRule => ({ kind: 'references', path, fields }));

const WITH_PEOPLE = ['/projects', '/tasks', '/meetings', '/documents', '/chat/conversations', '/auth/invites'];
const TEAM = ['projectManager', 'teamMembers'];

/** By `updatedAt`, then `_id`, both compared as strings. */
function latestFirst(a: Item, b: Item): boolean {
  const keyOf = ({ updatedAt, _id }: Item) => `${updatedAt} ${_id}`;
  return keyOf(a) > keyOf(b);
}

const RANK: Readonly<Record<string, number>> = { urgent: 0, high: 1, medium: 2, low: 3 };
const NO_DAY = '9999';

/** By priority, due date, and `_id`, tasks without a date last: the server's `priority` order. */
export function urgentFirst(a: Item, b: Item): boolean {
  const keyOf = ({ priority, dueDate, _id }: Item) => `${RANK[String(priority)]} ${dueDate ?? NO_DAY} ${_id}`;
  return keyOf(a) < keyOf(b);
}

const PROJECTS = {
  shows: 'any',
  order: 'any',
  before: latestFirst,
  items: '/projects',
  filters: { search: ['name', 'description'], status: ['status'], priority: ['priority'] },
} as const;
const TASKS = {
  shows: 'any',
  items: '/tasks',
  order: ['priority', 'dueDate'],
  sorts: { priority: urgentFirst },
  filters: {
    search: ['title', 'description'],
    status: ['status'],
    priority: ['priority'],
  },
} as const;
const ALL_TASKS = { ...TASKS, filters: { ...TASKS.filters, assignedTo: ['assignedTo'] } };
const PEOPLE = { shows: USER_LIST_FIELDS, order: ['lastName', 'firstName'] } as const;
const SEARCH_FIELDS = ['firstName', 'lastName', 'email'];

const NOTE_FIELDS = ['notes', 'agendaItems'];
const RECORD_FIELDS = [...NOTE_FIELDS, 'summary', 'decisions'];

/** Deployment settings and unfinished uploads of the user: no change event affects them. */
export const FIXED: readonly string[] = ['/documents/limits', '/documents/uploads', '/meetings/feed'];

/**
 * The user's own fields that determine their access: documents are shared with departments, and rooms booked by them.
 */
export const OWN_ACCOUNT_RULE = { paths: ['/documents', '/meetings/rooms'], fields: ['department'] } as const;

/** Lists of meetings that the caller is invited to, which for an administrator differ from all visible ones. */
export const isOwnMeetings = (path: string, query: URLSearchParams): boolean =>
  path === '/meetings/upcoming' || (path === '/meetings/calendar' && query.get('whose') !== 'all');

type OfResource = {
  /**
   * The path of the resource. A path below it that no rule matches is assumed to show the whole resource, unless it has
   * another id.
   */
  own: string;
  /** A change may affect several items but names one. */
  several?: true;
  rules: readonly InvalidationRule[];
};

export const INVALIDATION_RULES: Record<Resource, OfResource> = {
  user: {
    own: '/users',
    rules: [
      list('/users', {
        ...PEOPLE,
        items: '/users',
        filters: {
          search: SEARCH_FIELDS,
          role: ['role'],
          status: ['status'],
          department: ['department'],
          sortBy: 'any',
          sortOrder: 'any',
        },
      }),
      list('/users/project-managers', { ...PEOPLE, filters: { '': ['role', 'status'], search: SEARCH_FIELDS } }),
      counts('/users/stats/overview', ['role', 'status', 'joinDate']),
      one('/users/:id'),
      ...references('any', '/users/profile'),
      counts('/departments', ['department']),
      counts('/departments/stats', ['department']),
      // An invitation is deleted when it is accepted.
      counts('/auth/invites', ['invited', 'status']),
      ...references(DISPLAY_NAME_FIELDS.user, ...WITH_PEOPLE),
    ],
  },
  department: {
    own: '/departments',
    rules: [
      list('/departments', { shows: 'any', order: ['name'], filters: { search: ['name'] } }),
      counts('/departments/stats', ['isActive']),
      one('/departments/:id'),
      ...references(['name'], '/users', ...WITH_PEOPLE),
    ],
  },
  project: {
    own: '/projects',
    rules: [
      list('/projects', PROJECTS),
      list('/projects/my-projects', { ...PROJECTS, filters: { ...PROJECTS.filters, '': TEAM } }),
      counts('/projects/stats', ['status', 'deadline', 'endDate']),
      one('/projects/:id'),
      // Project membership determines who is assigned its tasks and reads its documents.
      ...references(TEAM, '/tasks'),
      permissions('/documents', TEAM),
    ],
  },
  task: {
    own: '/tasks',
    rules: [
      list('/tasks/project/:id', ALL_TASKS),
      list('/tasks', ALL_TASKS),
      list('/tasks/my-tasks', { ...TASKS, filters: { ...TASKS.filters, '': ['assignedTo'] } }),
      counts('/tasks/stats', ['status', 'dueDate', 'assignedTo']),
      one('/tasks/:id'),
    ],
  },
  // A change of a series names one meeting, so lists are not searched for it.
  meeting: {
    own: '/meetings',
    several: true,
    rules: [
      ...['/meetings', '/meetings/project/:id'].flatMap((path) => [
        allExcept(path, RECORD_FIELDS),
        isSet(path, ['notes', 'summary']),
      ]),
      ...['upcoming', 'calendar'].map((view) => allExcept(`/meetings/${view}`, RECORD_FIELDS)),
      ...['stats', 'busy', 'free-times', 'rooms'].map((view) =>
        allExcept(`/meetings/${view}`, [...RECORD_FIELDS, 'closing']),
      ),
      allExcept('/meetings/decisions', [...NOTE_FIELDS, 'summary']),
      allExcept('/meetings/:id/closing', NOTE_FIELDS),
    ],
  },
  room: {
    own: '/meetings/rooms',
    rules: [
      list('/meetings/rooms', { shows: 'any', order: ['name'], filters: {} }),
      // Meetings keep a deleted room with its name.
      ...references(['name'], '/meetings'),
    ],
  },
  document: {
    own: '/documents',
    rules: [counts('/documents/stats', ['name', 'tags', 'visibility', 'sharedWith']), one('/documents/:id')],
  },
  conversation: {
    own: '/chat/conversations',
    rules: [
      list('/chat/conversations', { shows: 'any', order: [], filters: { '': 'any' } }),
      one('/chat/conversations/:id'),
      // Messages are counted from the socket. Renames and new conversations do not change unread counts.
      // `participants`: the recipient joined or left; `otherParticipants`: another user did.
      permissions('/chat/unread', ['participants']),
    ],
  },
  // Messages themselves are caught up by seq.
  message: { own: '/chat/conversations', rules: [{ kind: 'messages', path: '/chat/conversations' }] },
  notification: { own: '/notifications', rules: [] },
  invitation: { own: '/auth/invites', rules: [] },
  session: { own: '/auth/sessions', rules: [] },
};
