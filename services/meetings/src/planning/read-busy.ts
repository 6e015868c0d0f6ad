import type { RequestOf, ResultOf } from '@atrium/proto-events/endpoint';
import {
  type listBusyTimes as busyContract,
  FREE_WITHIN_DAYS,
  type findFreeTimes as freeContract,
  MAX_FREE_TIMES,
} from '@atrium/proto-events/http/meeting-planning';
import type { DirectoryUser } from '@atrium/proto-events/people';
import { preferencesOf } from '@atrium/proto-events/preferences';
import { isActive } from '@atrium/service-kit/directory/active-users';
import type { Directory } from '@atrium/service-kit/directory/directory';
import type { Caller } from '@atrium/service-kit/http/authenticate';
import type { Queryable } from '@atrium/service-kit/postgres/postgres';
import type { Deps } from '../deps.ts';
import { findMeeting, MAX_DURATION } from '../model/meeting-repository.ts';
import { canView } from '../model/policy.ts';
import { findFreeSpans, intersection, listWorkingSpans, type Span, type Worker } from './free-times.ts';

const DAY_MS = 86_400_000;

type BusyBody = RequestOf<typeof busyContract>['body'];
type FreeBody = RequestOf<typeof freeContract>['body'];

/** Reveals nothing else about meetings, not even about the caller's own. */
export async function listBusyTimes(
  { db, directory }: Deps,
  caller: Caller,
  { from, to, ...body }: BusyBody,
): Promise<ResultOf<typeof busyContract>> {
  const people = activeOf(directory, body.people).map(({ _id }) => _id);
  const except = await findExcludedMeeting(db, caller, body.except);
  const found = await listBusySpansByUser(db, { people, from, to, except });
  return { data: people.map((person) => ({ person, busy: (found.get(person) ?? []).map(present) })) };
}

/** Working hours affect the result, but are never returned. */
export async function findFreeTimes(
  { db, directory }: Deps,
  caller: Caller,
  { durationMinutes, ...body }: FreeBody,
): Promise<ResultOf<typeof freeContract>> {
  const from = Math.max(Date.parse(body.from), Date.now());
  const to = from + FREE_WITHIN_DAYS * DAY_MS;
  const durationMs = durationMinutes * 60_000;
  const people = activeOf(directory, body.people);
  const working = workingTogether(people, [from, to]);
  if (!working.some(([start, end]) => end - start >= durationMs)) return { data: [], message: NO_COMMON_HOURS };
  const busy = await listBusySpans(db, {
    people: people.map(({ _id }) => _id),
    from: new Date(from).toISOString(),
    to: new Date(to).toISOString(),
    except: await findExcludedMeeting(db, caller, body.except),
  });
  const found = findFreeSpans({ working, busy, from, durationMs, limit: MAX_FREE_TIMES });
  return { data: found.map(present), message: found.length === 0 ? NONE_FREE : null };
}

const NO_COMMON_HOURS = `Within the next ${FREE_WITHIN_DAYS} days there is no time of that length within everybody’s working hours.`;
const NONE_FREE = `Within the next ${FREE_WITHIN_DAYS} days there is no time of that length when everybody is free.`;

function workingTogether(people: readonly DirectoryUser[], range: Span): Span[] {
  const workers = people.map(
    (person): Worker => ({ timezone: person.timezone, workingHours: preferencesOf(person).workingHours }),
  );
  let working: Span[] = [range];
  for (const spans of listWorkingSpans(workers, range)) {
    working = intersection(working, spans);
    if (working.length === 0) break;
  }
  return working;
}

function activeOf(directory: Directory, ids: readonly string[]): DirectoryUser[] {
  return [...new Set(ids)].flatMap((id) => {
    const user = directory.user(id);
    return user && isActive(user) ? [user] : [];
  });
}

/** Only a meeting the caller can see is excluded: the difference would reveal its time. */
async function findExcludedMeeting(db: Queryable, caller: Caller, id: string | null): Promise<string | null> {
  if (id === null) return null;
  const row = await findMeeting(db, id);
  return row && canView(caller, row) ? id : null;
}

const present = ([start, end]: Span) => ({ start: new Date(start).toISOString(), end: new Date(end).toISOString() });

type BusyQuery = { people: readonly string[]; from: string; to: string; except: string | null };

const TAKEN = `participants where user_id = any($1) and ends_at > $2 and starts_at < $3 and response <> 'declined'
  and starts_at > $2::timestamptz - ${MAX_DURATION}
  and meeting_id is distinct from $4`;

const values = ({ people, from, to, except }: BusyQuery) => [people, from, to, except];

const MS = (bound: string) => `(extract(epoch from ${bound}) * 1000)::bigint`;

/** Overlapping and adjacent meetings are merged, so that they cannot be counted. Includes whole meetings that exceed the range. */
async function listBusySpansByUser(db: Queryable, question: BusyQuery): Promise<Map<string, Span[]>> {
  const { rows } = await db.query<{ user_id: string; start: number; end: number }>({
    name: 'busy-of-each',
    text: `select user_id, ${MS('lower(taken)')} as start, ${MS('upper(taken)')} as end
           from (select user_id, unnest(range_agg(tstzrange(starts_at, ends_at))) as taken from ${TAKEN} group by user_id) t
           order by user_id, taken`,
    values: values(question),
  });
  const found = new Map<string, Span[]>();
  for (const { user_id, start, end } of rows) {
    const spans = found.get(user_id) ?? [];
    spans.push([start, end]);
    found.set(user_id, spans);
  }
  return found;
}

async function listBusySpans(db: Queryable, question: BusyQuery): Promise<Span[]> {
  const { rows } = await db.query<{ start: number; end: number }>({
    name: 'busy-of-any',
    text: `select ${MS('lower(taken)')} as start, ${MS('upper(taken)')} as end
           from (select unnest(range_agg(tstzrange(starts_at, ends_at))) as taken from ${TAKEN}) t order by taken`,
    values: values(question),
  });
  return rows.map(({ start, end }): Span => [start, end]);
}
