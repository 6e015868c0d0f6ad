import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { MAX_TOPICS } from '@atrium/proto-events/live-updates/topics';
import { topic } from '@atrium/proto-events/realtime';
import { describe, expect, it } from '@jest/globals';
import { getTopics, isWorkspaceWide, selectTopics } from './topics.ts';

const id = '65f0c0ffee0000000000000a';
const SRC = join(import.meta.dirname, '..');

/** Finds every path that a screen reads in the sources. */
const paths = [
  ...new Set(
    readdirSync(SRC, { recursive: true, encoding: 'utf8' })
      .filter((file) => /(?<!\.test)\.tsx?$/.test(file))
      .flatMap((file) => [...readFileSync(join(SRC, file), 'utf8').matchAll(/['`]GET (\/[\w/:.-]+)['`]/g)])
      .map(([, path = '']) => path.replace(/:\w+/g, id)),
  ),
];
/** Lists the paths that no other user changes, or that update by other means. */
const WITHOUT_TOPICS = [
  // Administrators reload this log manually.
  '/activity',
  '/auth/setup',
  `/chat/attachments/${id}`,
  `/chat/attachments/${id}/preview`,
  '/chat/attachments/limits',
  '/chat/messages',
  '/health',
  // Covered by the topic of the signed-in user, which every browser subscribes to.
  '/notifications',
];

describe('getTopics', () => {
  it('returns valid topics for every path that a screen reads', () => {
    expect(paths.length).toBeGreaterThan(20);
    expect(paths.filter((path) => getTopics(path).length === 0).sort()).toEqual(WITHOUT_TOPICS);
    for (const path of paths)
      for (const candidate of getTopics(path)) expect(topic.safeParse(candidate).success).toBe(true);
  });

  it('returns only the topics of one resource for its path', () => {
    expect(getTopics(`/projects/${id}`)).toEqual([`project:${id}`, 'names']);
    expect(getTopics(`/tasks/project/${id}?status=todo&page=1`)).toEqual([`project:${id}`, 'names']);
    expect(getTopics('/projects?limit=6')).toEqual(['projects', 'names']);
  });

  it('returns workspace-wide topics only for lists that all users share', () => {
    const sharedPaths = ['/projects?limit=6', '/projects/stats', '/users?page=1', '/documents', '/departments?page=1'];
    const scopedPaths = [
      `/projects/${id}`,
      `/tasks/project/${id}?page=1`,
      `/documents/project/${id}`,
      '/meetings',
      '/chat/conversations',
    ];
    expect(sharedPaths.filter(isWorkspaceWide)).toEqual(sharedPaths);
    expect(scopedPaths.filter(isWorkspaceWide)).toEqual([]);
  });

  it('yields no more topics in a selection than a socket may subscribe to', () => {
    const keys = Array.from({ length: 500 }, (_, n) => `/tasks/${n.toString(16).padStart(24, '0')}`);
    const { topics, unsubscribed } = selectTopics([...keys, '/tasks/my-tasks', `/tasks/${'0'.repeat(24)}`], id);
    expect(topics.length).toBeLessThanOrEqual(MAX_TOPICS);
    const isSubscribed = (key: string) => getTopics(key).every((topic) => topics.includes(topic));
    expect(unsubscribed.length).toBeGreaterThan(0);
    expect(keys.filter((key) => !isSubscribed(key))).toEqual(unsubscribed);
  });
});
