// Imported by browsers as is, hence without schemas.

/**
 * Topics of lists that a browser can subscribe to. `names`: user names appear. `project-names`: project names appear,
 * or determine who can read something. For meetings, documents, conversations, and sessions, users receive only what
 * they can see.
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
 * Topics of lists that everyone sees. They change constantly, so browsers refetch them at the interval that the
 * server sends (`minRefetchIntervalMs`), at most once per `MIN_REFETCH_INTERVAL_MS`.
 */
export const WORKSPACE_TOPICS = ['projects', 'people', 'departments', 'documents'] as const;
export const MIN_REFETCH_INTERVAL_MS = 2_000;

/** Topics of one item, such as `project:<id>`, which includes its tasks. */
export const ITEM_TOPICS = ['project', 'task', 'person'] as const;

export const MAX_TOPICS = 200;

/** User fields that lists and cards show; the others appear only in profiles. */
export const USER_LIST_FIELDS: readonly string[] =
  'firstName lastName email phone location bio avatar role status invited department joinDate'.split(' ');

/** For a project, also fields that determine who can read its content. */
export const DISPLAY_NAME_FIELDS: Readonly<Record<'user' | 'project', readonly string[]>> = {
  user: 'firstName lastName email avatar role status department'.split(' '),
  project: ['name', 'projectManager', 'teamMembers'],
};
