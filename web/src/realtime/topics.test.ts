import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { topic } from '@atrium/proto-events/realtime';
import { MOST_TOPICS } from '@atrium/proto-events/topics';
import { describe, expect, it } from '@jest/globals';
import { isOfEverything, topicsOf, topicsOfAll } from './topics.ts';

const id = '65f0c0ffee0000000000000a';
const SRC = join(import.meta.dirname, '..');

/** Every path that a screen reads, as the sources name them. */
const paths = [
  ...new Set(
    readdirSync(SRC, { recursive: true, encoding: 'utf8' })
      .filter((file) => /(?<!\.test)\.tsx?$/.test(file))
      .flatMap((file) => [...readFileSync(join(SRC, file), 'utf8').matchAll(/['`]GET (\/[\w/:.-]+)['`]/g)])
      .map(([, path = '']) => path.replace(/:\w+/g, id)),
  ),
];
/** Nothing that anybody else does changes these, or they catch up by themselves. */
const NEVER_TOLD = [
  // A log that administrators load again themselves.
  '/activity',
  '/auth/setup',
  `/chat/attachments/${id}`,
  `/chat/attachments/${id}/preview`,
  '/chat/attachments/limits',
  '/chat/messages',
  '/health',
  // By the topic of who is signed in, which every browser watches.
  '/notifications',
];

describe('what a screen has to be told of', () => {
  it('is known of every path that one reads', () => {
    expect(paths.length).toBeGreaterThan(20);
    expect(paths.filter((path) => topicsOf(path).length === 0).sort()).toEqual(NEVER_TOLD);
    for (const path of paths) for (const one of topicsOf(path)) expect(topic.safeParse(one).success).toBe(true);
  });

  it('of one thing is that thing alone, not all of its kind', () => {
    expect(topicsOf(`/projects/${id}`)).toEqual([`project:${id}`, 'names']);
    expect(topicsOf(`/tasks/project/${id}?status=todo&page=1`)).toEqual([`project:${id}`, 'names']);
    expect(topicsOf('/projects?limit=6')).toEqual(['projects', 'names']);
  });

  it('is of everything for lists that everybody shows alike', () => {
    const ofAll = ['/projects?limit=6', '/projects/stats', '/users?page=1', '/documents', '/departments?page=1'];
    const ofFew = [
      `/projects/${id}`,
      `/tasks/project/${id}?page=1`,
      `/documents/project/${id}`,
      '/meetings',
      '/chat/conversations',
    ];
    expect(ofAll.filter(isOfEverything)).toEqual(ofAll);
    expect(ofFew.filter(isOfEverything)).toEqual([]);
  });

  it('is never more than a socket may say', () => {
    const keys = Array.from({ length: 500 }, (_, n) => `/tasks/${n.toString(16).padStart(24, '0')}`);
    const { topics, untold } = topicsOfAll([...keys, '/tasks/my-tasks', `/tasks/${'0'.repeat(24)}`], id);
    expect(topics.length).toBeLessThanOrEqual(MOST_TOPICS);
    // What it is not told of is known; what needs nothing more is told of, wherever it stands.
    const isTold = (key: string) => topicsOf(key).every((topic) => topics.includes(topic));
    expect(untold.length).toBeGreaterThan(0);
    expect(keys.filter((key) => !isTold(key))).toEqual(untold);
  });
});
