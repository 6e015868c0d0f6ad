import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { topic } from '@atrium/proto-events/realtime';
import { MAX_TOPICS } from '@atrium/proto-events/topics';
import { describe, expect, it } from '@jest/globals';
import { isWorkspaceWide, selectTopics, topicsOf } from './topics.ts';

const id = '65f0c0ffee0000000000000a';
const SRC = join(import.meta.dirname, '..');

/** Every path that a screen reads, found in the sources. */
const paths = [
  ...new Set(
    readdirSync(SRC, { recursive: true, encoding: 'utf8' })
      .filter((file) => /(?<!\.test)\.tsx?$/.test(file))
      .flatMap((file) => [...readFileSync(join(SRC, file), 'utf8').matchAll(/['`]GET (\/[\w/:.-]+)['`]/g)])
      .map(([, path = '']) => path.replace(/:\w+/g, id)),
  ),
];
/** Paths that no other user changes, or that update by other means. */
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

describe('topicsOf', () => {
  it('knows the topics of every path that a screen reads', () => {
    expect(paths.length).toBeGreaterThan(20);
    expect(paths.filter((path) => topicsOf(path).length === 0).sort()).toEqual(WITHOUT_TOPICS);
    for (const path of paths) for (const one of topicsOf(path)) expect(topic.safeParse(one).success).toBe(true);
  });

  it('returns only the topics of one resource for its path', () => {
    expect(topicsOf(`/projects/${id}`)).toEqual([`project:${id}`, 'names']);
    expect(topicsOf(`/tasks/project/${id}?status=todo&page=1`)).toEqual([`project:${id}`, 'names']);
    expect(topicsOf('/projects?limit=6')).toEqual(['projects', 'names']);
  });

  it('is workspace-wide for lists that all users share', () => {
    const ofAll = ['/projects?limit=6', '/projects/stats', '/users?page=1', '/documents', '/departments?page=1'];
    const ofFew = [
      `/projects/${id}`,
      `/tasks/project/${id}?page=1`,
      `/documents/project/${id}`,
      '/meetings',
      '/chat/conversations',
    ];
    expect(ofAll.filter(isWorkspaceWide)).toEqual(ofAll);
    expect(ofFew.filter(isWorkspaceWide)).toEqual([]);
  });

  it('never exceeds the limit of a socket', () => {
    const keys = Array.from({ length: 500 }, (_, n) => `/tasks/${n.toString(16).padStart(24, '0')}`);
    const { topics, unsubscribed } = selectTopics([...keys, '/tasks/my-tasks', `/tasks/${'0'.repeat(24)}`], id);
    expect(topics.length).toBeLessThanOrEqual(MAX_TOPICS);
    const isSubscribed = (key: string) => topicsOf(key).every((topic) => topics.includes(topic));
    expect(unsubscribed.length).toBeGreaterThan(0);
    expect(keys.filter((key) => !isSubscribed(key))).toEqual(unsubscribed);
  });
});
