import type { RequestOf } from '@atrium/proto-events/endpoint';
import {
  type listCalendarMeetings as contract,
  type listMeetings as listContract,
  MAX_MEETINGS_PER_RANGE,
  MAX_RANGE_MS,
  type getMeetingStats as statsContract,
  type listUpcomingMeetings as upcomingContract,
} from '@atrium/proto-events/http/meetings';
import type { Caller } from '@atrium/service-kit/http/authenticate';
import { toLimits, toPage } from '@atrium/service-kit/http/page';
import type { Queryable } from '@atrium/service-kit/postgres/postgres';
import type { Deps } from '../deps.ts';
import {
  type Audience,
  countMeetingRows,
  countStats,
  listCalendarRows,
  listMeetingRows,
  listSeriesOnce,
} from '../model/meeting-list-repository.ts';
import { findMeeting, type MeetingRow } from '../model/meeting-repository.ts';
import { assertVisible } from '../model/policy.ts';
import { presentCalendarMeeting, presentMeeting } from '../model/present-meeting.ts';
import { findReplacement } from '../model/series-repository.ts';
import { dayRange } from '../recurrence/local-time.ts';

type Query = RequestOf<typeof listContract>['query'] & { project?: string };
type Upcoming = RequestOf<typeof upcomingContract>['query'];
type StatsQuery = RequestOf<typeof statsContract>['query'];

const visibleTo = (caller: Caller): Audience => (caller.role === 'admin' ? 'everybody' : { userId: caller.userId });

export async function listMeetings({ db, directory, figures }: Deps, caller: Caller, query: Query) {
  const audience = visibleTo(caller);
  const { timeFilter, from, to, project, seriesId } = query;
  const filter = { timeFilter, from, to, project, seriesId };
  const counted = { ...filter, isOnce: query.series === 'once' };
  const count = () => countMeetingRows(db, audience, counted);
  const list = counted.isOnce ? listSeriesOnce : listMeetingRows;
  const [rows, total] = await Promise.all([
    list(db, audience, { filter, ...toLimits(query) }),
    audience === 'everybody' ? figures.counts(JSON.stringify(counted), count) : count(),
  ]);
  const data = rows.map((row) => presentMeeting(directory, caller, row, query.people));
  return toPage(data, total, query);
}

export async function listUpcoming({ db, directory }: Deps, caller: Caller, { limit, people, series }: Upcoming) {
  const audience = { userId: caller.userId };
  const next = { filter: { timeFilter: 'upcoming' }, limit, offset: 0 } as const;
  const rows =
    series === 'once'
      ? await listSeriesOnce(db, audience, { ...next, name: 'upcoming-once' })
      : await listMeetingRows(db, audience, next);
  return rows.map((row) => presentMeeting(directory, caller, row, people));
}

type GetMeetingParams = { id: string; orNext?: 'true' | undefined };

export async function getMeeting({ db, directory }: Deps, caller: Caller, { id, orNext }: GetMeetingParams) {
  const found = await findMeeting(db, id);
  const row = assertVisible(caller, found ?? (orNext && (await findNext(db, caller, id))));
  return presentMeeting(directory, caller, row);
}

async function findNext(db: Queryable, caller: Caller, cancelledId: string): Promise<MeetingRow | undefined> {
  const audience = visibleTo(caller);
  const next = await findReplacement(db, cancelledId, audience === 'everybody' ? undefined : audience.userId);
  return next === undefined ? undefined : findMeeting(db, next);
}

export function getMeetingStats({ db, directory, figures }: Deps, caller: Caller, { timezone, project }: StatsQuery) {
  const zone = timezone ?? directory.user(caller.userId)?.timezone ?? 'UTC';
  const audience = visibleTo(caller);
  const day = dayRange(new Date(), zone);
  const count = () => countStats(db, audience, { day, project });
  return audience === 'everybody' ? figures.stats(JSON.stringify({ day, project }), count) : count();
}

export async function listCalendar(
  { db, directory }: Deps,
  caller: Caller,
  { whose, project, ...range }: RequestOf<typeof contract>['query'],
) {
  const from = range.from ?? new Date().toISOString();
  const rows = await listCalendarRows(db, {
    from,
    to: earlierOf(range.to, Date.parse(from) + MAX_RANGE_MS),
    project,
    caller: caller.userId,
    allUsers: whose === 'all' && caller.role === 'admin',
    limit: MAX_MEETINGS_PER_RANGE + 1,
  });
  return {
    data: rows.slice(0, MAX_MEETINGS_PER_RANGE).map((row) => presentCalendarMeeting(directory, caller, row)),
    more: rows.length > MAX_MEETINGS_PER_RANGE,
  };
}

/** ISO 8601. */
const earlierOf = (time: string | undefined, latestMs: number): string =>
  time !== undefined && Date.parse(time) < latestMs ? time : new Date(latestMs).toISOString();
