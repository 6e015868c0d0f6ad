// Browsers import this module, so it has no schemas.

import type { Project } from '../http/projects.ts';
import type { User } from '../people.ts';

/**
 * Topics of lists that a browser can subscribe to. `people`: users. `names`: user names appear. `project-names`:
 * project names appear, or determine who can read something. For meetings, documents, conversations, and sessions,
 * users receive only what they can see.
 */
export const LIST_TOPICS = [
  'projects',
  'project-names',
  'people',
  'names',
  'departments',
  'meetings',
  'documents',
  'conversations',
  'invitations',
  'sessions',
] as const;

/**
 * Topics of lists that every user has. They change constantly, so browsers refetch them at the interval that the
 * server sends (`minRefetchIntervalMs`), at most once per `MIN_REFETCH_INTERVAL_MS`.
 */
export const WORKSPACE_TOPICS = ['projects', 'people', 'departments', 'documents'] as const;
export const MIN_REFETCH_INTERVAL_MS = 2_000;

/** Topics of one item, such as `project:<id>`, which includes its tasks; `person` is a user. */
export const ITEM_TOPICS = ['project', 'task', 'person'] as const;

export const MAX_TOPICS = 200;

/** User fields that lists and cards show; the others appear only in profiles. */
export const USER_LIST_FIELDS: readonly (keyof User)[] = [
  'firstName',
  'lastName',
  'email',
  'phone',
  'location',
  'bio',
  'avatar',
  'role',
  'status',
  'invited',
  'department',
  'joinDate',
];

type DisplayNameFields = { user: readonly (keyof User)[]; project: readonly (keyof Project)[] };

/** For a project, also fields that determine who can read its content. */
export const DISPLAY_NAME_FIELDS: Readonly<DisplayNameFields> = {
  user: ['firstName', 'lastName', 'email', 'avatar', 'role', 'status', 'department'],
  project: ['name', 'projectManager', 'teamMembers'],
};
