import type { ResponseOf } from '@atrium/proto-events/endpoint';
import type { Conversation } from '@atrium/proto-events/http/chat';
import type { getDepartment } from '@atrium/proto-events/http/departments';
import type { Document } from '@atrium/proto-events/http/documents';
import type { Meeting } from '@atrium/proto-events/http/meetings/meeting-fields';
import type { Room } from '@atrium/proto-events/http/meetings/rooms';
import type { Project } from '@atrium/proto-events/http/projects';
import type { Task } from '@atrium/proto-events/http/tasks';
import { DISPLAY_NAME_FIELDS, USER_LIST_FIELDS } from '@atrium/proto-events/live-updates/topics';
import type { User } from '@atrium/proto-events/people';
import type { Change } from '@atrium/proto-events/realtime';

type Resource = Change['resource'];
export type Item = Readonly<Record<string, unknown>>;
export type Fields<Field extends string = string> = readonly Field[] | 'any';

export type Before = (a: Item, b: Item) => boolean;

export type ListRule<Field extends string = string> = {
  kind: 'list';
  path: string;
  /** Fields that the list shows of each item. */
  shows: Fields<Field>;
  /** Fields that determine the position. */
  order: Fields<Field>;
  /** Fields that each query parameter filters by; `''` stands for the path itself. */
  filters: Readonly<Record<string, Fields<Field>>>;
  /** The path that returns the same items by `ids`. */
  items?: string;
  /** The comparator, if the client can sort. */
  before?: Before;
  /** Comparators by `sort` parameter. */
  sorts?: Readonly<Record<string, Before>>;
};

/**
 * Describes which responses show a resource, by the path of their keys; `:id` matches any id. `Field` names the fields
 * of the resource that changes, not of the response.
 *
 * Example: a task's `status` changes from `todo` to `done`. For the key `/tasks/project/<id>?status=todo`, the rule
 * `list('/tasks/project/:id', TASKS)` matches: the query filters by `status`, which has changed, so the whole list
 * may differ. Without the filter only the item differs, because `status` is not in `order`, and it is fetched by
 * `/tasks?ids=` (`items`). When a project's `status` changes, `/projects/stats` is refetched, because `counts` lists it.
 */
export type InvalidationRule<Field extends string = string> =
  | { kind: 'one'; path: string }
  | ListRule<Field>
  | { kind: 'counts'; path: string; fields: Fields<Field> }
  | { kind: 'allExcept'; path: string; fields: readonly Field[] }
  /** Items that state whether any of these fields is set, without their values. */
  | { kind: 'isSet'; path: string; fields: readonly Field[] }
  /** References in responses about other resources, here and below. */
  | { kind: 'references'; path: string; fields: Fields<Field> }
  /** Access to everything here and below depends on these fields; a creation has no effect yet. */
  | { kind: 'permissions'; path: string; fields: Fields<Field> }
  | { kind: 'messages'; path: string };

const list = <Field extends string = never>(
  path: string,
  rule: Omit<ListRule<Field>, 'kind' | 'path'>,
): InvalidationRule<Field> => ({
  kind: 'list',
  path,
  ...rule,
});
const one = (path: string): InvalidationRule<never> => ({ kind: 'one', path });
const counts = <Field extends string = never>(path: string, fields: Fields<Field>): InvalidationRule<Field> => ({
  kind: 'counts',
  path,
  fields,
});
const allExcept = <Field extends string = never>(path: string, fields: readonly Field[]): InvalidationRule<Field> => ({
  kind: 'allExcept',
  path,
  fields,
});
const isSet = <Field extends string = never>(path: string, fields: readonly Field[]): InvalidationRule<Field> => ({
  kind: 'isSet',
  path,
  fields,
});
const permissions = <Field extends string = never>(path: string, fields: Fields<Field>): InvalidationRule<Field> => ({
  kind: 'permissions',
  path,
  fields,
});
const references = <Field extends string = never>(fields: Fields<Field>, ...paths: string[]) =>
  paths.map((path): InvalidationRule<Field> => ({ kind: 'references', path, fields }));

const PATHS_WITH_USERS = ['/projects', '/tasks', '/meetings', '/documents', '/chat/conversations', '/auth/invites'];
const TEAM = ['projectManager', 'teamMembers'] as const;

/** The order by `updatedAt`, then `_id`, both compared as strings. */
function precedesByUpdateTime(a: Item, b: Item): boolean {
  const keyOf = ({ updatedAt, _id }: Item) => `${updatedAt} ${_id}`;
  return keyOf(a) > keyOf(b);
}

const RANK: Readonly<Record<string, number>> = { urgent: 0, high: 1, medium: 2, low: 3 };
const NO_DAY = '9999';

/** The order by priority, due date, and `_id`, tasks without a date last, like the server's `priority` order. */
export function precedesByPriority(a: Item, b: Item): boolean {
  const keyOf = ({ priority, dueDate, _id }: Item) => `${RANK[String(priority)]} ${dueDate ?? NO_DAY} ${_id}`;
  return keyOf(a) < keyOf(b);
}

const PROJECTS = {
  shows: 'any',
  order: 'any',
  before: precedesByUpdateTime,
  items: '/projects',
  filters: { search: ['name', 'description'], status: ['status'], priority: ['priority'] },
} as const;
const TASKS = {
  shows: 'any',
  items: '/tasks',
  order: ['priority', 'dueDate'],
  sorts: { priority: precedesByPriority },
  filters: {
    search: ['title', 'description'],
    status: ['status'],
    priority: ['priority'],
    assignedTo: ['assignedTo'],
  },
} as const;
const USERS = { shows: USER_LIST_FIELDS, order: ['lastName', 'firstName'] } as const;
const SEARCH_FIELDS = ['firstName', 'lastName', 'email'] as const;

const NOTE_FIELDS = ['notes', 'agendaItems'] as const;
const RECORD_FIELDS = [...NOTE_FIELDS, 'summary', 'decisions'] as const;

/** Deployment settings and unfinished uploads of the user: no change event affects them. */
export const UNAFFECTED_PATHS: readonly string[] = ['/documents/limits', '/documents/uploads', '/meetings/feed'];

/**
 * The user's own fields that determine their access: documents are shared with departments, and rooms booked by them.
 */
export const OWN_ACCOUNT_RULE = { paths: ['/documents', '/meetings/rooms'], fields: ['department'] } as const;

/** Lists of meetings that the caller is invited to, which for an administrator differ from all visible ones. */
export const isOwnMeetings = (path: string, query: URLSearchParams): boolean =>
  path === '/meetings/upcoming' || (path === '/meetings/calendar' && query.get('whose') !== 'all');

type ResourceRules<Field extends string = string> = {
  /**
   * The path of the resource. A path at or below it that no rule other than `references` matches is assumed to show the
   * whole resource, unless it has a different id.
   */
  basePath: string;
  /** A change may affect several items but names one. */
  several?: true;
  rules: readonly InvalidationRule<Field>[];
};

type Items = {
  user: User;
  department: ResponseOf<typeof getDepartment>;
  project: Project;
  task: Task;
  /** Events also name parts that have endpoints of their own. */
  meeting: Meeting & { decisions: unknown; closing: unknown };
  room: Room;
  document: Document;
  conversation: Conversation;
};

/** Events name changed fields as in the items, so a misspelled field in a rule does not compile. */
type CheckedRules = {
  [R in Resource]: ResourceRules<R extends keyof Items ? keyof Items[R] & string : never>;
};

export const INVALIDATION_RULES: Record<Resource, ResourceRules> = {
  user: {
    basePath: '/users',
    rules: [
      list('/users', {
        ...USERS,
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
      list('/users/project-managers', { ...USERS, filters: { '': ['role', 'status'], search: SEARCH_FIELDS } }),
      counts('/users/stats/overview', ['role', 'status', 'joinDate']),
      one('/users/:id'),
      ...references('any', '/users/profile'),
      counts('/departments', ['department']),
      counts('/departments/stats', ['department']),
      // An invitation is deleted when it is accepted.
      counts('/auth/invites', ['invited', 'status']),
      ...references(DISPLAY_NAME_FIELDS.user, ...PATHS_WITH_USERS),
    ],
  },
  department: {
    basePath: '/departments',
    rules: [
      list('/departments', { shows: 'any', order: ['name'], filters: { search: ['name'] } }),
      counts('/departments/stats', ['isActive']),
      one('/departments/:id'),
      ...references(['name'], '/users', ...PATHS_WITH_USERS),
    ],
  },
  project: {
    basePath: '/projects',
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
    basePath: '/tasks',
    rules: [list('/tasks/project/:id', TASKS), one('/tasks/:id')],
  },
  // A change of a series names one meeting, so lists are not searched for it.
  meeting: {
    basePath: '/meetings',
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
    basePath: '/meetings/rooms',
    rules: [
      list('/meetings/rooms', { shows: 'any', order: ['name'], filters: {} }),
      // Meetings keep a deleted room with its name.
      ...references(['name'], '/meetings'),
    ],
  },
  document: {
    basePath: '/documents',
    rules: [counts('/documents/stats', ['name', 'tags', 'visibility', 'sharedWith']), one('/documents/:id')],
  },
  conversation: {
    basePath: '/chat/conversations',
    rules: [
      list('/chat/conversations', { shows: 'any', order: [], filters: { '': 'any' } }),
      one('/chat/conversations/:id'),
      // Messages are counted from the socket. Renames and new conversations do not change unread counts.
      // `participants`: the recipient joined or left; `otherParticipants`: another user did.
      permissions('/chat/unread', ['participants']),
    ],
  },
  // Messages themselves are caught up by seq.
  message: { basePath: '/chat/conversations', rules: [{ kind: 'messages', path: '/chat/conversations' }] },
  notification: { basePath: '/notifications', rules: [] },
  invitation: { basePath: '/auth/invites', rules: [] },
  session: { basePath: '/auth/sessions', rules: [] },
} satisfies CheckedRules;
