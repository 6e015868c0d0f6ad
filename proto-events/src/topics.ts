// Browsers read this file as it is, so it brings no schema with it.

/**
 * What a browser shows of many things, and wants to be told of. `names`: people are named in it. `project-names`: projects are, or decide
 * who reads it. Of meetings, documents, conversations and sessions everybody is told of those that they may see.
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
 * Of what everybody sees: somebody changes something of these all the time, and every browser that shows such a list asks for it again.
 * They do so at the pace that the server tells (`minRefetchIntervalMs`), and no oftener than once in so many milliseconds.
 */
export const WORKSPACE_TOPICS = ['projects', 'people', 'departments', 'documents'] as const;
export const MIN_REFETCH_INTERVAL_MS = 2_000;

/** What it shows of one thing: `project:<id>`, with its tasks, and so on. */
export const ITEM_TOPICS = ['project', 'task', 'person'] as const;

/** Topics that one socket may watch. */
export const MAX_TOPICS = 200;

/** What lists and cards show of people; the rest stands in their own profile. */
export const USER_LIST_FIELDS: readonly string[] =
  'firstName lastName email phone location bio avatar role status invited department joinDate'.split(' ');

/** What stands of them wherever they are named; of a project also what says who may read what belongs to it. */
export const DISPLAY_NAME_FIELDS: Readonly<Record<'user' | 'project', readonly string[]>> = {
  user: 'firstName lastName email avatar role status department'.split(' '),
  project: ['name', 'manager', 'teamMembers'],
};
