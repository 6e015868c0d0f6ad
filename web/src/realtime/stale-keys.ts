import type { Change } from '@atrium/proto-events/realtime';
import { LISTED_OF_PEOPLE, NAMING_FIELDS } from '@atrium/proto-events/topics';
import { isId } from '../lib/is-id.ts';

/** `own`: where the resource itself is, its lists and the one by its id, or with `several` all by their ids: one change may be of many. `also`: all below these paths shows something of it, and below `names` what it is called. */
type Paths = { own: string; also?: readonly string[]; names?: readonly string[]; several?: true };

/** Where people stand with their name and department. */
const NAMING = ['/projects', '/tasks', '/meetings', '/documents', '/chat/conversations'];

/** Which keys a change of a resource makes stale, by the first parts of their paths. */
const PATHS: Record<Change['resource'], Paths> = {
  // An invitation is gone once its person has accepted it.
  user: { own: '/users', also: ['/departments', '/auth/invites'], names: NAMING },
  department: { own: '/departments', also: ['/users'], names: NAMING },
  // Who is in a project decides who reads its documents and works on its tasks.
  project: { own: '/projects', names: ['/tasks', '/documents'] },
  task: { own: '/tasks' },
  // A change of a series names one of its meetings.
  meeting: { own: '/meetings', several: true },
  document: { own: '/documents' },
  conversation: { own: '/chat/conversations' },
  // The list of conversations shows the last message and the unread count. Messages themselves catch up by seq.
  message: { own: '/chat/conversations' },
  notification: { own: '/notifications' },
  invitation: { own: '/auth/invites' },
  session: { own: '/auth/sessions' },
};

/** Whether what an SWR key holds may differ after a change: every list of the resource, and the one resource by its id. */
export function isStale(key: unknown, change: Change): boolean {
  if (typeof key !== 'string') return false;
  const path = key.split('?', 1)[0] ?? '';
  const [, projectOfTasks] = /^\/tasks\/project\/([^/]+)/.exec(path) ?? [];
  const projectOfChange = change.resource === 'project' ? change.id : change.scope?.project;
  if (projectOfTasks && projectOfChange && projectOfTasks !== projectOfChange) return false;
  // A server that is newer than this page tells of what no screen of it shows.
  if (!Object.hasOwn(PATHS, change.resource)) return false;
  const { own, also = [], names = [], several = false } = PATHS[change.resource];
  if (also.some((place) => isBelow(path, place)) && isListed(change)) return true;
  // What is new stands nowhere under its name yet.
  if (change.action !== 'created' && names.some((place) => isBelow(path, place)) && isNamed(change)) return true;
  if (!isBelow(path, own)) return false;
  const first = path.slice(own.length + 1).split('/', 1)[0] ?? '';
  if (isId(first)) return several || first === change.id;
  return path === OWN_PROFILE || isListed(change);
}

/** The same of a change that was told before this browser was there to hear it: what was said came by no socket either. */
export const mayHaveMissed = (key: string, change: Change): boolean =>
  isStale(key, change) || (change.resource === 'message' && key === `/chat/messages?conversation=${change.id}`);

const OWN_PROFILE = '/users/profile';

const isListed = ({ resource, changed }: Change) => resource !== 'user' || hasOneOf(changed, LISTED_OF_PEOPLE);
const isNamed = ({ resource, changed }: Change) =>
  !(resource === 'user' || resource === 'project') || hasOneOf(changed, NAMING_FIELDS[resource]);
/** A server of before does not say which. */
const hasOneOf = (changed: string[] | undefined, fields: readonly string[]) =>
  changed === undefined || changed.some((field) => fields.includes(field));

const isBelow = (path: string, place: string) => path === place || path.startsWith(`${place}/`);
