import { MAX_TOPICS, WORKSPACE_TOPICS } from '@atrium/proto-events/live-updates/topics';
import type { Topic } from '@atrium/proto-events/realtime';
import { isId } from '#lib/paths.ts';

/** The topics of responses at or below a path: those of a list, and those of one resource by its id. */
type Entry = { path: string; listTopics: readonly Topic[]; itemTopics?: (id: string) => readonly Topic[] };

const ENTRIES: readonly Entry[] = [
  { path: '/tasks/project', listTopics: [], itemTopics: (id) => [`project:${id}`, 'names'] },
  { path: '/tasks', listTopics: [], itemTopics: (id) => [`task:${id}`, 'project-names', 'names'] },
  { path: '/projects', listTopics: ['projects', 'names'], itemTopics: (id) => [`project:${id}`, 'names'] },
  { path: '/users', listTopics: ['people', 'departments'], itemTopics: (id) => [`person:${id}`, 'departments'] },
  { path: '/departments', listTopics: ['departments', 'people'] },
  // A change of a series names one of its meetings.
  { path: '/meetings', listTopics: ['meetings', 'names'] },
  { path: '/documents', listTopics: ['documents', 'project-names', 'names'] },
  { path: '/chat/conversations', listTopics: ['conversations', 'names'] },
  { path: '/chat/unread', listTopics: ['conversations'] },
  { path: '/auth/invites', listTopics: ['invitations', 'people'] },
  { path: '/auth/sessions', listTopics: ['sessions'] },
];

const WORKSPACE_WIDE: readonly Topic[] = WORKSPACE_TOPICS;

export const isWorkspaceWide = (key: string): boolean =>
  !(key.split('?', 1)[0] ?? '').split('/').some(isId) && getTopics(key).some((topic) => WORKSPACE_WIDE.includes(topic));

export function getTopics(key: string): readonly Topic[] {
  const path = key.split('?', 1)[0] ?? '';
  const entry = ENTRIES.find((candidate) => path === candidate.path || path.startsWith(`${candidate.path}/`));
  const firstSegment = path.slice((entry?.path.length ?? 0) + 1).split('/', 1)[0] ?? '';
  return (entry?.itemTopics && isId(firstSegment) ? entry.itemTopics(firstSegment) : entry?.listTopics) ?? [];
}

type TopicSelection = {
  topics: Topic[];
  /** Keys beyond the limit, whose changes no event reports. */
  unsubscribed: string[];
};

/** Combines the topics of all keys, up to the limit of a socket; earlier keys take precedence. */
export function selectTopics(keys: Iterable<string>, me: string | null, extra: readonly Topic[] = []): TopicSelection {
  const topics = new Set<Topic>([...(me === null ? [] : [`person:${me}` as const]), ...extra]);
  const unsubscribed: string[] = [];
  for (const key of keys) {
    const newTopics = getTopics(key).filter((topic) => !topics.has(topic));
    if (topics.size + newTopics.length > MAX_TOPICS) unsubscribed.push(key);
    else for (const topic of newTopics) topics.add(topic);
  }
  return { topics: [...topics].sort(), unsubscribed };
}
