import type { ResponseOf } from '@atrium/proto-events/endpoint';
import { securityRecord } from '@atrium/proto-events/events/audit';
import type { listActivity } from '@atrium/proto-events/http/activity';
import type { Directory } from '@atrium/service-kit/directory/directory';
import { z } from 'zod';
import type { ActivityRecord } from '../store/records.ts';
import { actorName } from '../users.ts';

type Entry = ResponseOf<typeof listActivity>['data'][number];

/** Fields of security records; all other details are reported as `changes`. */
const known = securityRecord
  .pick({
    outcome: true,
    email: true,
    address: true,
    sessionId: true,
    method: true,
    route: true,
    status: true,
    count: true,
    various: true,
  })
  .partial()
  .extend({ device: z.string().nullable().optional() });
const KNOWN_FIELDS = new Set(['action', 'userId', 'target', ...Object.keys(known.shape)]);

export function presentActivity(directory: Directory, record: ActivityRecord): Entry {
  const { _id, at, type, actorId, resource, subjectId, title, details = {} } = record;
  const { data: facts = {} } = known.safeParse(details);
  const changes = Object.fromEntries(Object.entries(details).filter(([name]) => !KNOWN_FIELDS.has(name)));
  return {
    _id,
    at: at.toISOString(),
    action: type,
    actor: actorId === null ? null : directory.summary(actorId),
    target: { type: resource, id: subjectId, title: titleOf(directory, { resource, subjectId, title }) },
    ...facts,
    ...(Object.keys(changes).length > 0 && { changes }),
  };
}

type Target = Pick<ActivityRecord, 'resource' | 'subjectId' | 'title'>;

const titleOf = (directory: Directory, { resource, subjectId, title }: Target): string =>
  resource === 'user' ? (actorName(directory, subjectId === '' ? null : subjectId) ?? '') : title;
