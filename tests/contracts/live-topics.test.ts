import { readdirSync } from 'node:fs';
import { envelope, subjectOf } from '@atrium/proto-events/event';
import { FANOUT } from '@atrium/proto-events/live-updates/fanout';
import { DISPLAY_NAME_FIELDS, USER_LIST_FIELDS } from '@atrium/proto-events/live-updates/topics';
import type { Change } from '@atrium/proto-events/realtime';
import { isStale } from '@atrium/web/realtime/stale-queries';
import { selectTopics } from '@atrium/web/realtime/topics';
import { describe, expect, it } from '@jest/globals';
import { ROOT, read } from './sources.ts';

/**
 * Topics that the server publishes for an event must cover the queries that a browser refetches after it. Both are derived from their
 * sources, for the sample of each event.
 */

const paths = [
  ...new Set(
    readdirSync(`${ROOT}/web/src`, { recursive: true, encoding: 'utf8' })
      .filter((file) => /(?<!\.test)\.tsx?$/.test(file))
      .flatMap((file) => [...read(`web/src/${file}`).matchAll(/['`]GET (\/[\w/:.-]+)['`]/g)])
      .map(([, path = '']) => path),
  ),
];
const FIELDS = [
  ...new Set([
    ...USER_LIST_FIELDS,
    ...DISPLAY_NAME_FIELDS.user,
    ...DISPLAY_NAME_FIELDS.project,
    'timezone',
    'progress',
  ]),
];

type Data = Record<string, unknown>;

/** The sample of an event; if it has changed fields, one sample per field. */
function samplesOf(subject: string): Data[] {
  const { data } = envelope.parse(JSON.parse(read(`proto-events/fixtures/${subject}.json`)));
  const sample: Data = { ...Object(data) };
  return 'changed' in sample ? [sample, ...FIELDS.map((field) => ({ ...sample, changed: [field] }))] : [sample];
}

/** Each path with the ids of everything that an event names. */
const keysFor = (data: Data) => {
  const ids = Object.values(data).filter((value) => typeof value === 'string' && /^[0-9a-f]{24}$/.test(value));
  return [...new Set(paths.flatMap((path) => ids.map((id) => path.replace(/:\w+/g, String(id)))))];
};

/**
 * The topics of a screen and of its user: the profile of the current user follows the user's topic, and notifications follow their
 * recipient.
 */
function topicsOf(key: string, { id, resource }: Change, [recipient]: readonly string[]) {
  const me = resource === 'notification' ? (recipient ?? null) : id;
  const belongsToUser = key.startsWith('/users/profile') || key.startsWith('/notifications');
  return selectTopics([key], belongsToUser ? me : null).topics;
}

describe('a browser that shows what an event makes stale', () => {
  it.each(FANOUT.map((row) => [subjectOf(row.event), row] as const))(
    'is subscribed to a topic of %s',
    (subject, row) => {
      for (const data of samplesOf(subject))
        for (const { topics, audience, changes } of row.toUpdates(data)) {
          // Participants of a conversation receive its events whatever they show.
          if (audience !== 'everyone' && audience.conversation !== undefined) continue;
          for (const change of changes) {
            const stale = keysFor(data).filter((key) => isStale(key, change));
            const users = audience === 'everyone' ? [] : audience.users;
            const uncovered = stale.filter(
              (key) => !topicsOf(key, change, users).some((topic) => topics.includes(topic)),
            );
            expect({ ...change, uncovered }).toEqual({ ...change, uncovered: [] });
          }
        }
    },
  );

  it('every query is refetched after some event, except for those listed here', () => {
    expect(paths.length).toBeGreaterThan(20);
    const shown = new Set(
      FANOUT.flatMap((row) =>
        samplesOf(subjectOf(row.event)).flatMap((data) => row.toUpdates(data).flatMap(({ changes }) => changes)),
      ),
    );
    const isEverStale = (path: string) =>
      [...shown].some((change) => isStale(path.replace(/:\w+/g, change.scope?.project ?? change.id), change));
    expect(paths.filter((path) => !isEverStale(path)).sort()).toEqual([
      // The log is loaded when it is opened; a thousand sign-ins must not reload it.
      '/activity',
      '/auth/setup',
      // A file never changes, and the quota depends only on the user's own uploads.
      '/chat/attachments/:id',
      '/chat/attachments/:id/preview',
      '/chat/attachments/limits',
      '/chat/messages',
      '/documents/limits',
      '/documents/uploads',
      '/health',
      // Created and deleted only by its owner, without an event.
      '/meetings/feed',
    ]);
  });
});
