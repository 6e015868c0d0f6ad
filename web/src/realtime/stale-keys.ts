import type { Change } from '@atrium/proto-events/realtime';

const ID = /^[0-9a-f]{24}$/;

/** Which lists a change of a resource makes stale: the first parts of their keys. */
const PATHS: Record<Change['resource'], readonly string[]> = {
  user: ['/users'],
  department: ['/departments', '/users'],
  // Who is in a project decides who reads its documents.
  project: ['/projects', '/tasks/project', '/documents'],
  task: ['/tasks'],
  meeting: ['/meetings'],
  document: ['/documents'],
  conversation: ['/chat/conversations'],
  // The list of conversations shows the last message and the unread count. Messages themselves catch up by seq.
  message: ['/chat/conversations'],
  notification: ['/notifications'],
};

/** Whether what an SWR key holds may differ after a change: every list of the resource, and the one resource by its id. */
export function isStale(key: unknown, change: Change): boolean {
  if (typeof key !== 'string') return false;
  const path = key.split('?', 1)[0] ?? '';
  return PATHS[change.resource].some((prefix) => {
    if (path !== prefix && !path.startsWith(`${prefix}/`)) return false;
    const first = path.slice(prefix.length + 1).split('/', 1)[0] ?? '';
    return !ID.test(first) || first === change.id || prefix === '/tasks/project';
  });
}
