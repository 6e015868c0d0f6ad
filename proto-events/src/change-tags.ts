// Browsers import this module, so it has no schemas.

/**
 * Tags of what a response shows. An event names the tags that it affects, and a browser subscribes to those of the
 * responses that it shows. `own-projects` and `own-meetings`: those of the user. `people`: names, pictures, and status of
 * users anywhere. For meetings, documents, conversations, notifications, invitations, and sessions, users receive only
 * changes of what they can see.
 */
export const LIST_TAGS = [
  'projects',
  'own-projects',
  'project-counts',
  'tasks',
  'users',
  'user-counts',
  'people',
  'departments',
  'meetings',
  'own-meetings',
  'room-names',
  'rooms',
  'documents',
  'conversations',
  'channels',
  'emoji',
  'invitations',
  'sessions',
  'notifications',
] as const;

/**
 * Tags of one resource, such as `project:<id>`. `tasks-in` are the tasks of a project, `tasks-of` those assigned to a
 * user, `tasks-by` those that a user created.
 */
export const ITEM_TAGS = ['project', 'task', 'tasks-in', 'tasks-of', 'tasks-by', 'user'] as const;

export type Tag = (typeof LIST_TAGS)[number] | `${(typeof ITEM_TAGS)[number]}:${string}`;

/** Maximum number of tags that a socket can subscribe to. */
export const MAX_TAGS = 200;
