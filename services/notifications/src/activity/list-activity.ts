import type { RequestOf, ResponseOf } from '@atrium/proto-events/endpoint';
import type { ActivityKind, listActivity as contract } from '@atrium/proto-events/http/activity';
import { securityRecord } from '@atrium/proto-events/security-record';
import type { Directory } from '@atrium/service-kit/directory/directory';
import { toLimits, toPage } from '@atrium/service-kit/http/page';
import type { QueryFilter } from 'mongoose';
import { z } from 'zod';
import type { Deps } from '../deps.ts';
import { type ActivityRecord, typesWithPrefix } from '../store/records.ts';
import { findActorName } from '../users/find-users.ts';

type Query = RequestOf<typeof contract>['query'];

const MAX_COUNTED = 1_000;

const TYPE_PREFIXES: Readonly<Record<ActivityKind, string>> = {
  security: 'security',
  accounts: 'auth',
  users: 'users',
};

export async function listActivity({ store, directory }: Deps, query: Query) {
  const { limit, offset } = toLimits(query);
  const filter = toFilter(query);
  const [records, count] = await Promise.all([
    store.activities.find(filter).sort({ at: -1, _id: -1 }).skip(offset).limit(limit).lean(),
    store.activities.countDocuments(filter, { limit: MAX_COUNTED + 1 }),
  ]);
  const data = records.map((record) => presentActivity(directory, record));
  return toPage(data, Math.min(count, MAX_COUNTED), { ...query, hasMore: count > MAX_COUNTED });
}

export function toFilter({
  user,
  kind,
  from,
  to,
}: Partial<Pick<Query, 'user' | 'kind' | 'from' | 'to'>>): QueryFilter<ActivityRecord> {
  const prefixes = kind === undefined ? Object.values(TYPE_PREFIXES) : [TYPE_PREFIXES[kind]];
  const conditions: QueryFilter<ActivityRecord>[] = [
    { $or: prefixes.map((prefix) => ({ type: typesWithPrefix(prefix) })) },
  ];
  if (user !== undefined) conditions.push({ $or: [{ subjectId: user }, { actorId: user }] });
  if (from !== undefined) conditions.push({ at: { $gte: new Date(from) } });
  if (to !== undefined) conditions.push({ at: { $lt: new Date(to) } });
  return { $and: conditions };
}

type Entry = ResponseOf<typeof contract>['data'][number];

const securityDetails = securityRecord
  .omit({ action: true, userId: true, target: true })
  .partial()
  .extend({ device: z.string().nullable().optional() });
const SECURITY_FIELDS = new Set([...Object.keys(securityRecord.shape), 'device']);

function presentActivity(directory: Directory, record: ActivityRecord): Entry {
  const { _id, at, type, actorId, resource, subjectId, title, details = {} } = record;
  const { data: securityFields = {} } = securityDetails.safeParse(details);
  const changes = Object.fromEntries(Object.entries(details).filter(([name]) => !SECURITY_FIELDS.has(name)));
  return {
    _id,
    at: at.toISOString(),
    action: type,
    actor: actorId === null ? null : directory.summary(actorId),
    target: { type: resource, id: subjectId, title: getTitle(directory, { resource, subjectId, title }) },
    ...securityFields,
    ...(Object.keys(changes).length > 0 && { changes }),
  };
}

type Target = Pick<ActivityRecord, 'resource' | 'subjectId' | 'title'>;

const getTitle = (directory: Directory, { resource, subjectId, title }: Target): string =>
  resource === 'user' ? (findActorName(directory, subjectId === '' ? null : subjectId) ?? '') : title;
