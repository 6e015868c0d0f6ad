import type { Topic } from '@atrium/proto-events/realtime';
import { MAX_TOPICS, WORKSPACE_TOPICS } from '@atrium/proto-events/topics';
import { isId } from '#lib/paths.ts';

/** Topics of the responses of a path and of all below it: for the list, and for one resource by its id. */
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

const WORKSPACE_WIDE: readonly Topic[] = WORKSPACE_TOPICS;

export const isWorkspaceWide = (key: string): boolean =>
  !(key.split('?', 1)[0] ?? '').split('/').some(isId) && topicsOf(key).some((topic) => WORKSPACE_WIDE.includes(topic));

export function topicsOf(key: string): readonly Topic[] {
  const path = key.split('?', 1)[0] ?? '';
  const entry = ENTRIES.find((candidate) => path === candidate.path || path.startsWith(`${candidate.path}/`));
  const first = path.slice((entry?.path.length ?? 0) + 1).split('/', 1)[0] ?? '';
  return (entry?.one && isId(first) ? entry.one(first) : entry?.list) ?? [];
}

type TopicSelection = {
  topics: Topic[];
  /** Keys that did not fit: no event reports their changes. */
  unsubscribed: string[];
};

/** The topics of all keys together, up to the limit of a socket; earlier keys take precedence. */
export function selectTopics(keys: Iterable<string>, me: string | null, extra: readonly Topic[] = []): TopicSelection {
  const topics = new Set<Topic>([...(me === null ? [] : [`person:${me}` as const]), ...extra]);
  const unsubscribed: string[] = [];
  for (const key of keys) {
    const added = topicsOf(key).filter((topic) => !topics.has(topic));
    if (topics.size + added.length > MAX_TOPICS) unsubscribed.push(key);
    else for (const topic of added) topics.add(topic);
  }
  return { topics: [...topics].sort(), unsubscribed };
}
