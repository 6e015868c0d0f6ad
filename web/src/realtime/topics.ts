import type { Topic } from '@atrium/proto-events/realtime';
import { MOST_TOPICS, WORKSPACE_TOPICS } from '@atrium/proto-events/topics';
import { isId } from '../lib/is-id.ts';

/** What the answers of these paths and of all below them have to be told of: a list, and one thing by its id. */
type Entry = { path: string; list: readonly Topic[]; one?: (id: string) => readonly Topic[] };

const ENTRIES: readonly Entry[] = [
  { path: '/tasks/project', list: [], one: (id) => [`project:${id}`, 'names'] },
  { path: '/tasks', list: [], one: (id) => [`task:${id}`, 'project-names', 'names'] },
  { path: '/projects', list: ['projects', 'names'], one: (id) => [`project:${id}`, 'names'] },
  { path: '/users', list: ['people', 'departments'], one: (id) => [`person:${id}`, 'departments'] },
  { path: '/departments', list: ['departments', 'people'] },
  // A change of a series names one of its meetings.
  { path: '/meetings', list: ['meetings', 'names'] },
  { path: '/documents', list: ['documents', 'project-names', 'names'] },
  { path: '/chat/conversations', list: ['conversations', 'names'] },
  { path: '/chat/unread', list: ['conversations'] },
  { path: '/auth/invites', list: ['invitations', 'people'] },
  { path: '/auth/sessions', list: ['sessions'] },
];

const OF_EVERYTHING: readonly Topic[] = WORKSPACE_TOPICS;

/** Whether the answer of a key is of everything in the workspace, not of one thing, nor of what belongs to few. */
export const isOfEverything = (key: string): boolean =>
  !(key.split('?', 1)[0] ?? '').split('/').some(isId) && topicsOf(key).some((topic) => OF_EVERYTHING.includes(topic));

/** What whoever shows the answer of a key has to be told of. */
export function topicsOf(key: string): readonly Topic[] {
  const path = key.split('?', 1)[0] ?? '';
  const entry = ENTRIES.find((one) => path === one.path || path.startsWith(`${one.path}/`));
  const first = path.slice((entry?.path.length ?? 0) + 1).split('/', 1)[0] ?? '';
  return (entry?.one && isId(first) ? entry.one(first) : entry?.list) ?? [];
}

export type Watched = {
  topics: Topic[];
  /** Keys of whose topics some are not among them: nobody says when their answers change. */
  untold: string[];
};

/** Of all keys together, with who is signed in and what is wanted besides; of the first ones where they are too many for one socket. */
export function topicsOfAll(keys: Iterable<string>, me: string | null, besides: readonly Topic[] = []): Watched {
  const topics = new Set<Topic>([...(me === null ? [] : [`person:${me}` as const]), ...besides]);
  const untold: string[] = [];
  for (const key of keys) {
    const further = topicsOf(key).filter((topic) => !topics.has(topic));
    if (topics.size + further.length > MOST_TOPICS) untold.push(key);
    else for (const topic of further) topics.add(topic);
  }
  return { topics: [...topics].sort(), untold };
}
