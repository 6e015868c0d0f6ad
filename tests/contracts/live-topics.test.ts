import { readdirSync } from 'node:fs';
import { envelope, subjectOf } from '@atrium/proto-events/event';
import { FANOUT } from '@atrium/proto-events/live-updates/fanout';
import { DISPLAY_NAME_FIELDS, USER_LIST_FIELDS } from '@atrium/proto-events/live-updates/topics';
import type { Change } from '@atrium/proto-events/realtime';
import { isStale } from '@atrium/web/realtime/stale-queries';
import { selectTopics } from '@atrium/web/realtime/topics';
import { describe, expect, it } from '@jest/globals';
import { ROOT, read } from './sources.ts';

// The topics that the server publishes for an event must cover the queries that a browser refetches after it. These
// tests compare both for the sample of each event.

/** The paths of all queries in the web app. */
const queryPaths = [
  ...new Set(
    readdirSync(`${ROOT}/web/src`, { recursive: true, encoding: 'utf8' })
      .filter((file) => /(?<!\.test)\.tsx?$/.test(file))
      .flatMap((file) => [...read(`web/src/${file}`).matchAll(/['`]GET (\/[\w/:.-]+)['`]/g)])
      .map(([, path = '']) => path),
  ),
];
/** Fields that events can report as changed. */
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

/** Returns the sample of an event, and one variant per field if the event has changed fields. */
function buildSamples(subject: string): Data[] {
  const { data } = envelope.parse(JSON.parse(read(`proto-events/fixtures/${subject}.json`)));
  const sample: Data = { ...Object(data) };
  return 'changed' in sample ? [sample, ...FIELDS.map((field) => ({ ...sample, changed: [field] }))] : [sample];
}

/** Returns the query keys for every path and every id in an event. */
const buildQueryKeys = (data: Data) => {
  const ids = Object.values(data).filter((value) => typeof value === 'string' && /^[0-9a-f]{24}$/.test(value));
  return [...new Set(queryPaths.flatMap((path) => ids.map((id) => path.replace(/:\w+/g, String(id)))))];
};

/**
 * Returns the topics that a browser with this query subscribes to. The current user's profile is covered by the topic
 * of that user, and notifications by the topic of their recipient.
 */
function listTopics(key: string, { id, resource }: Change, [recipient]: readonly string[]) {
  const currentUserId = resource === 'notification' ? (recipient ?? null) : id;
  const belongsToUser = key.startsWith('/users/profile') || key.startsWith('/notifications');
  return selectTopics([key], belongsToUser ? currentUserId : null).topics;
}

describe('a browser with a query that an event makes stale', () => {
  it.each(FANOUT.map((row) => [subjectOf(row.event), row] as const))(
    'is subscribed to a topic of %s',
    (subject, row) => {
      for (const data of buildSamples(subject))
        for (const { topics, audience, changes } of row.toUpdates(data)) {
          // Participants of a conversation receive its events regardless of their subscriptions.
          if (audience !== 'everyone' && audience.conversation !== undefined) continue;
          for (const change of changes) {
            const stale = buildQueryKeys(data).filter((key) => isStale(key, change));
            const users = audience === 'everyone' ? [] : audience.users;
            const uncovered = stale.filter(
              (key) => !listTopics(key, change, users).some((topic) => topics.includes(topic)),
            );
            expect({ ...change, uncovered }).toEqual({ ...change, uncovered: [] });
          }
        }
    },
  );
});

it('some event makes every query stale, except the listed queries', () => {
  expect(queryPaths.length).toBeGreaterThan(20);
  const changes = new Set(
    FANOUT.flatMap((row) =>
      buildSamples(subjectOf(row.event)).flatMap((data) => row.toUpdates(data).flatMap(({ changes }) => changes)),
    ),
  );
  const isEverStale = (path: string) =>
    [...changes].some((change) => isStale(path.replace(/:\w+/g, change.scope?.project ?? change.id), change));
  expect(queryPaths.filter((path) => !isEverStale(path)).sort()).toEqual([
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
