import { readdirSync } from 'node:fs';
import { FANOUT } from '@atrium/chat/feed/fanout';
import { envelope, subjectOf } from '@atrium/proto-events/event';
import type { Change } from '@atrium/proto-events/realtime';
import { DISPLAY_NAME_FIELDS, USER_LIST_FIELDS } from '@atrium/proto-events/topics';
import { isStale } from '@atrium/web/realtime/stale-queries';
import { topicsOfAll } from '@atrium/web/realtime/topics';
import { describe, expect, it } from '@jest/globals';
import { ROOT, read } from './sources.ts';

/** What a browser asks again for after an event is what the server tells it of: both from their sources, over the sample of each event. */

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

/** The sample of an event, and where it says what changed the same for each field alone. */
function samplesOf(subject: string): Data[] {
  const { data } = envelope.parse(JSON.parse(read(`proto-events/fixtures/${subject}.json`)));
  const sample: Data = { ...Object(data) };
  return 'changed' in sample ? [sample, ...FIELDS.map((field) => ({ ...sample, changed: [field] }))] : [sample];
}

/** Each path of each thing that an event names. */
const keysFor = (data: Data) => {
  const ids = Object.values(data).filter((value) => typeof value === 'string' && /^[0-9a-f]{24}$/.test(value));
  return [...new Set(paths.flatMap((path) => ids.map((id) => path.replace(/:\w+/g, String(id)))))];
};

/**
 * What somebody who shows this watches, and beside it who they are: a profile of one's own is that of the person whom a change is of, and
 * notifications of one's own are told to those whose they are.
 */
function topicsOf(key: string, { id, resource }: Change, [theirs]: readonly string[]) {
  const me = resource === 'notification' ? (theirs ?? null) : id;
  const isOwn = key.startsWith('/users/profile') || key.startsWith('/notifications');
  return topicsOfAll([key], isOwn ? me : null).topics;
}

describe('a browser that shows what an event makes stale', () => {
  it.each(FANOUT.map((row) => [subjectOf(row.event), row] as const))('is told of %s', (subject, row) => {
    for (const data of samplesOf(subject)) {
      const { topics, audience, changes } = row.toUpdate(data);
      // Whoever takes part in a conversation is told whatever they show.
      if (audience !== 'everyone' && audience.conversation !== undefined) continue;
      for (const change of changes) {
        const stale = keysFor(data).filter((key) => isStale(key, change));
        const users = audience === 'everyone' ? [] : audience.users;
        const untold = stale.filter((key) => !topicsOf(key, change, users).some((topic) => topics.includes(topic)));
        expect({ ...change, untold }).toEqual({ ...change, untold: [] });
      }
    }
  });

  it('is one of those that there are', () => {
    expect(paths.length).toBeGreaterThan(20);
    const shown = new Set(
      FANOUT.flatMap((row) => samplesOf(subjectOf(row.event)).flatMap((data) => row.toUpdate(data).changes)),
    );
    const isEverStale = (path: string) =>
      [...shown].some((change) => isStale(path.replace(/:\w+/g, change.scope?.project ?? change.id), change));
    expect(paths.filter((path) => !isEverStale(path)).sort()).toEqual([
      // A log is read when it is looked at: a sign-in of each of a thousand people is no reason to load it again.
      '/activity',
      '/auth/setup',
      // A file never changes, and what room there is follows what one sends oneself.
      '/chat/attachments/:id',
      '/chat/attachments/:id/preview',
      '/chat/attachments/limits',
      '/chat/messages',
      '/documents/limits',
      '/documents/uploads',
      '/health',
      // Whose it is makes and ends it, and nobody is told.
      '/meetings/feed',
    ]);
  });
});
