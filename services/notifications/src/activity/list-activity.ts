import type { RequestOf } from '@atrium/proto-events/endpoint';
import type { ActivityKind, listActivity as contract } from '@atrium/proto-events/http/activity';
import { toLimits, toPage } from '@atrium/service-kit/http/page';
import type { QueryFilter } from 'mongoose';
import type { Deps } from '../deps.ts';
import type { ActivityRecord } from '../store/records.ts';
import { presentActivity } from './present-activity.ts';

type Query = RequestOf<typeof contract>['query'];

/** Counting limit; beyond it the response reports that there are more. */
const MAX_COUNTED = 1_000;

/** Prefix of the event types of each kind. */
const TYPES: Readonly<Record<ActivityKind, string>> = { security: 'security', accounts: 'auth', users: 'users' };

/** Lists activity records, newest first, with current user names; deleted users have none. */
export async function listActivity({ store, directory }: Deps, query: Query) {
  const { limit, offset } = toLimits(query);
  const filter = toFilter(query);
  const [records, counted] = await Promise.all([
    store.activities.find(filter).sort({ at: -1, _id: -1 }).skip(offset).limit(limit).lean(),
    store.activities.countDocuments(filter, { limit: MAX_COUNTED + 1 }),
  ]);
  const data = records.map((record) => presentActivity(directory, record));
  return toPage(data, Math.min(counted, MAX_COUNTED), { ...query, more: counted > MAX_COUNTED });
}

function toFilter({ user, kind, from, to }: Query): QueryFilter<ActivityRecord> {
  const kinds = kind === undefined ? Object.values(TYPES) : [TYPES[kind]];
  const conditions: QueryFilter<ActivityRecord>[] = [{ $or: kinds.map(startingWith) }];
  if (user !== undefined) conditions.push({ $or: [{ subjectId: user }, { actorId: user }] });
  if (from !== undefined) conditions.push({ at: { $gte: new Date(from) } });
  if (to !== undefined) conditions.push({ at: { $lt: new Date(to) } });
  return { $and: conditions };
}

/** All types with this prefix: `/` follows `.` in ASCII. */
const startingWith = (word: string): QueryFilter<ActivityRecord> => ({ type: { $gte: `${word}.`, $lt: `${word}/` } });
