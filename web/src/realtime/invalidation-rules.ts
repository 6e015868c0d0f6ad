import type { Change } from '@atrium/proto-events/realtime';
import { DISPLAY_NAME_FIELDS, USER_LIST_FIELDS } from '@atrium/proto-events/topics';

type Resource = Change['resource'];
/** An item of a list, as the server answers it. */
export type Item = Readonly<Record<string, unknown>>;
/** `any`: whatever changed. */
export type Fields = readonly string[] | 'any';

export type Before = (one: Item, other: Item) => boolean;

/** What answers show of a resource, by the path of their keys; `:id` stands for any one. */
export type InvalidationRule = { path: string } & (
  | { kind: 'one' }
  /**
   * Items with the `shows` of each. `order` moves them; `filters` are what each parameter of the query looks at, `''` what the path itself
   * does. `items`: where the same items are answered by their `ids`. `before`: whether one stands before another, where a screen can tell;
   * `sorts`: the same by what the query asks to be sorted by.
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
  /** Numbers of how many there are, and of those fields. */
  | { kind: 'counts'; of: Fields }
  /** Whatever changed but those fields alone. */
  | { kind: 'most'; but: readonly string[] }
  /** Items of which each says whether there is anything in these fields, and not what. */
  | { kind: 'whether'; of: readonly string[] }
  /** It stands in answers about something else, here and below. */
  | { kind: 'names'; of: Fields }
  /** What there is to see, here and below, follows from these fields; what is new decides nothing yet. */
  | { kind: 'decides'; by: Fields }
  /** The last of its messages, and how many are unread. */
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
const counts = (path: string, of: Fields): InvalidationRule => ({ kind: 'counts', path, of });
const most = (path: string, but: readonly string[]): InvalidationRule => ({ kind: 'most', path, but });
const isSet = (path: string, of: readonly string[]): InvalidationRule => ({ kind: 'whether', path, of });
const permissions = (path: string, by: Fields): InvalidationRule => ({ kind: 'decides', path, by });
const names = (of: Fields, ...paths: string[]) => paths.map((path): InvalidationRule => ({ kind: 'names', path, of }));

/** Where people stand with their name and department. */
const WITH_PEOPLE = ['/projects', '/tasks', '/meetings', '/documents', '/chat/conversations', '/auth/invites'];
const TEAM = ['manager', 'teamMembers'];

/** By `updatedAt`, then `_id`: both are texts that stand in order. */
function latestFirst(one: Item, other: Item): boolean {
  const [a, b] = [one, other].map(({ updatedAt, _id }) => `${updatedAt} ${_id}`);
  return String(a) > String(b);
}

const RANK: Readonly<Record<string, number>> = { urgent: 0, high: 1, medium: 2, low: 3 };
const NO_DAY = '9999';

/** By priority, due date and `_id`, those without a date last: as the server sorts tasks by `priority`. */
export function urgentFirst(one: Item, other: Item): boolean {
  const [a, b] = [one, other].map(
    ({ priority, dueDate, _id }) => `${RANK[String(priority)]} ${dueDate ?? NO_DAY} ${_id}`,
  );
  return String(a) < String(b);
}

const PROJECTS = {
  shows: 'any',
  // The most recently changed first.
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
const FOUND_AS = ['firstName', 'lastName', 'email'];

/** What is written down in a meeting and after it, which calendars show nothing of; of a closed one they show that it stays. */
const OF_TEXTS = ['notes', 'agendaItems'];
const OF_RECORD = [...OF_TEXTS, 'summary', 'decisions'];

/** Settings of the deployment, and what is one's own until it is finished: nothing that is told changes them. */
export const FIXED: readonly string[] = ['/documents/limits', '/documents/uploads', '/meetings/feed'];

/** What somebody may see or do there follows from these fields of theirs: documents are shared with departments, and rooms booked by them. */
export const OWN_DECIDES = { paths: ['/documents', '/meetings/rooms'], by: ['department'] } as const;

/** Only meetings that whoever asks is invited to, also of an administrator who may see all. */
export const isOfInvited = (path: string, query: URLSearchParams): boolean =>
  path === '/meetings/upcoming' || (path === '/meetings/calendar' && query.get('whose') !== 'all');

type OfResource = {
  /** Where it is. A path below that no showing names is taken to show all of it, but for another one by its id. */
  own: string;
  /** One change may be of many, of which it names one. */
  several?: true;
  showings: readonly InvalidationRule[];
};

/** Of each resource, what shows it. */
export const INVALIDATION_RULES: Record<Resource, OfResource> = {
  user: {
    own: '/users',
    showings: [
      list('/users', {
        ...PEOPLE,
        items: '/users',
        filters: {
          search: FOUND_AS,
          role: ['role'],
          status: ['status'],
          department: ['department'],
          // What was changed may stand elsewhere then.
          sortBy: 'any',
          sortOrder: 'any',
        },
      }),
      list('/users/project-managers', { ...PEOPLE, filters: { '': ['role', 'status'], search: FOUND_AS } }),
      counts('/users/stats/overview', ['role', 'status', 'joinDate']),
      one('/users/:id'),
      ...names('any', '/users/profile'),
      counts('/departments', ['department']),
      counts('/departments/stats', ['department']),
      // An invitation is gone once its person has accepted it.
      counts('/auth/invites', ['invited', 'status']),
      ...names(DISPLAY_NAME_FIELDS.user, ...WITH_PEOPLE),
    ],
  },
  department: {
    own: '/departments',
    showings: [
      list('/departments', { shows: 'any', order: ['name'], filters: { search: ['name'] } }),
      counts('/departments/stats', ['isActive']),
      one('/departments/:id'),
      ...names(['name'], '/users', ...WITH_PEOPLE),
    ],
  },
  project: {
    own: '/projects',
    showings: [
      list('/projects', PROJECTS),
      list('/projects/my-projects', { ...PROJECTS, filters: { ...PROJECTS.filters, '': TEAM } }),
      counts('/projects/stats', ['status', 'deadline', 'endDate']),
      one('/projects/:id'),
      // Who is in a project decides who works on its tasks and reads its documents.
      ...names(TEAM, '/tasks'),
      permissions('/documents', TEAM),
    ],
  },
  task: {
    own: '/tasks',
    showings: [
      list('/tasks/project/:id', ALL_TASKS),
      list('/tasks', ALL_TASKS),
      list('/tasks/my-tasks', { ...TASKS, filters: { ...TASKS.filters, '': ['assignedTo'] } }),
      counts('/tasks/stats', ['status', 'dueDate', 'assignedTo']),
      one('/tasks/:id'),
    ],
  },
  // Of a series it names one meeting, so that no list is looked through for it.
  meeting: {
    own: '/meetings',
    several: true,
    showings: [
      ...['/meetings', '/meetings/project/:id'].flatMap((path) => [
        most(path, OF_RECORD),
        // A card offers to add notes, or to edit them.
        isSet(path, ['notes', 'summary']),
      ]),
      ...['upcoming', 'calendar'].map((of) => most(`/meetings/${of}`, OF_RECORD)),
      ...['stats', 'busy', 'free-times', 'rooms'].map((of) => most(`/meetings/${of}`, [...OF_RECORD, 'closing'])),
      most('/meetings/decisions', [...OF_TEXTS, 'summary']),
      most('/meetings/:id/closing', OF_TEXTS),
    ],
  },
  room: {
    own: '/meetings/rooms',
    showings: [
      list('/meetings/rooms', { shows: 'any', order: ['name'], filters: {} }),
      // Meetings keep a room that is deleted, with its name.
      ...names(['name'], '/meetings'),
    ],
  },
  document: {
    own: '/documents',
    showings: [counts('/documents/stats', ['name', 'tags', 'visibility', 'sharedWith']), one('/documents/:id')],
  },
  conversation: {
    own: '/chat/conversations',
    showings: [
      list('/chat/conversations', { shows: 'any', order: [], filters: { '': 'any' } }),
      one('/chat/conversations/:id'),
      // What is said is counted as it comes. Nothing is unread under another name, nor in what has just been made. Who is told of
      // `participants` comes or goes; where others do, that is `otherParticipants`.
      permissions('/chat/unread', ['participants']),
    ],
  },
  // Messages themselves catch up by seq.
  message: { own: '/chat/conversations', showings: [{ kind: 'messages', path: '/chat/conversations' }] },
  notification: { own: '/notifications', showings: [] },
  invitation: { own: '/auth/invites', showings: [] },
  session: { own: '/auth/sessions', showings: [] },
};
