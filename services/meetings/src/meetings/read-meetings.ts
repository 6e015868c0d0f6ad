import type { RequestOf } from '@atrium/proto-events/endpoint';
import type {
  listMeetings as listContract,
  getMeetingStats as statsContract,
  listUpcomingMeetings as upcomingContract,
} from '@atrium/proto-events/http/meetings';
import type { Caller } from '@atrium/service-kit/http/authenticate';
import { toLimits, toPage } from '@atrium/service-kit/http/page';
import type { Queryable } from '@atrium/service-kit/postgres/postgres';
import type { Deps } from '../deps.ts';
import { findInstead } from '../series/cancelled-dates.ts';
import { dayRange } from '../series/recurrence.ts';
import { type Audience, countMeetingRows, countStats, listMeetingRows, listUpcomingOnce } from './list-repository.ts';
import { findMeeting, type MeetingRow } from './meeting-repository.ts';
import { presentMeeting } from './present-meeting.ts';
import { requireSeen } from './require-seen.ts';

type Query = RequestOf<typeof listContract>['query'] & { project?: string };
type Upcoming = RequestOf<typeof upcomingContract>['query'];
type StatsQuery = RequestOf<typeof statsContract>['query'];

const visibleTo = (caller: Caller): Audience => (caller.role === 'admin' ? 'everybody' : { userId: caller.userId });

export async function listMeetings({ db, directory, figures }: Deps, caller: Caller, query: Query) {
  const audience = visibleTo(caller);
  const { timeFilter, from, to, project } = query;
  const filter = { timeFilter, from, to, project };
  const count = () => countMeetingRows(db, audience, filter);
  const [rows, total] = await Promise.all([
    listMeetingRows(db, audience, { filter, ...toLimits(query) }),
    audience === 'everybody' ? figures.counts(JSON.stringify(filter), count) : count(),
  ]);
  return toPage(
    rows.map((row) => presentMeeting(directory, caller, row, query.people)),
    total,
    query,
  );
}

/** The caller's own next meetings, an administrator's too. */
export async function listUpcoming({ db, directory }: Deps, caller: Caller, { limit, people, series }: Upcoming) {
  const audience = { userId: caller.userId };
  const rows =
    series === 'once'
      ? await listUpcomingOnce(db, caller.userId, limit)
      : await listMeetingRows(db, audience, { filter: { timeFilter: 'upcoming' }, limit, offset: 0 });
  return rows.map((row) => presentMeeting(directory, caller, row, people));
}

type One = { id: string; orNext?: 'true' | undefined };

/** A meeting, or where it is asked for and that date was cancelled, what is left of its series. */
export async function getMeeting({ db, directory }: Deps, caller: Caller, { id, orNext }: One) {
  const found = await findMeeting(db, id);
  const row = requireSeen(caller, found ?? (orNext && (await findNext(db, caller, id))));
  return presentMeeting(directory, caller, row);
}

async function findNext(db: Queryable, caller: Caller, cancelledId: string): Promise<MeetingRow | undefined> {
  const audience = visibleTo(caller);
  const next = await findInstead(db, cancelledId, audience === 'everybody' ? undefined : audience.userId);
  return next === undefined ? undefined : findMeeting(db, next);
}

export function getMeetingStats({ db, directory, figures }: Deps, caller: Caller, { timezone, project }: StatsQuery) {
  const zone = timezone ?? directory.user(caller.userId)?.timezone ?? 'UTC';
  const audience = visibleTo(caller);
  const day = dayRange(new Date(), zone);
  const count = () => countStats(db, audience, { day, project });
  return audience === 'everybody' ? figures.stats(JSON.stringify({ day, project }), count) : count();
}
