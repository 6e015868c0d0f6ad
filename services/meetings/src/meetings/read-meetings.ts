import type { RequestOf } from '@atrium/proto-events/endpoint';
import {
  AWAITED_MS,
  type listCalendarMeetings as contract,
  type listMeetings as listContract,
  MAX_MEETINGS_PER_RANGE,
  MAX_RANGE_MS,
  type getMeetingStats as statsContract,
  type listUnansweredMeetings as unansweredContract,
  type listUpcomingMeetings as upcomingContract,
} from '@atrium/proto-events/http/meetings/meetings';
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
  listUnansweredRows,
} from '../model/meeting-list-repository.ts';
import { findMeeting, type MeetingRow } from '../model/meeting-repository.ts';
import { assertVisible } from '../model/policy.ts';
import { presentCalendarMeeting, presentMeeting } from '../model/present-meeting.ts';
import { findReplacementId } from '../model/series-repository.ts';
import { dayRange } from '../recurrence/local-time.ts';

type Query = RequestOf<typeof listContract>['query'] & { project?: string };
type UpcomingQuery = RequestOf<typeof upcomingContract>['query'];
type StatsQuery = RequestOf<typeof statsContract>['query'];

const getAudience = (caller: Caller): Audience => (caller.role === 'admin' ? 'everybody' : { userId: caller.userId });

export async function listMeetings({ db, directory, coalescers }: Deps, caller: Caller, query: Query) {
  const audience = getAudience(caller);
  const { timeFilter, from, to, project, seriesId } = query;
  const filter = { timeFilter, from, to, project, seriesId };
  const countFilter = { ...filter, isOnce: query.series === 'once' };
  const count = () => countMeetingRows(db, audience, countFilter);
  const list = countFilter.isOnce ? listSeriesOnce : listMeetingRows;
  const [rows, total] = await Promise.all([
    list(db, audience, { filter, ...toLimits(query) }),
    audience === 'everybody' ? coalescers.counts(JSON.stringify(countFilter), count) : count(),
  ]);
  const data = rows.map((row) => presentMeeting(directory, caller, row, query.people));
  return toPage(data, total, query);
}

export async function listUpcoming({ db, directory }: Deps, caller: Caller, { limit, people, series }: UpcomingQuery) {
  const audience = { userId: caller.userId };
  const params = { filter: { timeFilter: 'upcoming' }, limit, offset: 0 } as const;
  const rows =
    series === 'once'
      ? await listSeriesOnce(db, audience, { ...params, name: 'upcoming-once' })
      : await listMeetingRows(db, audience, params);
  return rows.map((row) => presentMeeting(directory, caller, row, people));
}

type GetMeetingParams = { id: string; orNext?: 'true' | undefined };

export async function getMeeting({ db, directory }: Deps, caller: Caller, { id, orNext }: GetMeetingParams) {
  const meeting = await findMeeting(db, id);
  const row = assertVisible(caller, meeting ?? (orNext && (await findReplacementMeeting(db, caller, id))));
  return presentMeeting(directory, caller, row);
}

async function findReplacementMeeting(
  db: Queryable,
  caller: Caller,
  canceledId: string,
): Promise<MeetingRow | undefined> {
  const audience = getAudience(caller);
  const replacementId = await findReplacementId(db, canceledId, audience === 'everybody' ? undefined : audience.userId);
  return replacementId === undefined ? undefined : findMeeting(db, replacementId);
}

export function getMeetingStats(
  { db, directory, coalescers }: Deps,
  caller: Caller,
  { timezone, project }: StatsQuery,
) {
  const zone = timezone ?? directory.user(caller.userId)?.timezone ?? 'UTC';
  const audience = getAudience(caller);
  const day = dayRange(new Date(), zone);
  const count = () => countStats(db, audience, { day, project });
  return audience === 'everybody' ? coalescers.stats(JSON.stringify({ day, project }), count) : count();
}

export async function listCalendar(
  { db, directory }: Deps,
  caller: Caller,
  { whose, project, ...range }: RequestOf<typeof contract>['query'],
) {
  const from = range.from ?? new Date().toISOString();
  const rows = await listCalendarRows(db, {
    from,
    to: limitTime(range.to, Date.parse(from) + MAX_RANGE_MS),
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

export async function listUnanswered(
  { db, directory }: Deps,
  caller: Caller,
  query: RequestOf<typeof unansweredContract>['query'],
) {
  const until = new Date(Date.now() + AWAITED_MS);
  const { rows, total } = await listUnansweredRows(db, { organizer: caller.userId, until, ...toLimits(query) });
  const data = rows.map((row) => ({
    ...presentCalendarMeeting(directory, caller, row),
    pendingCount: row.pending_count,
  }));
  return toPage(data, total, query);
}

/** Returns the earlier time in ISO 8601. */
const limitTime = (time: string | undefined, latestMs: number): string =>
  time !== undefined && Date.parse(time) < latestMs ? time : new Date(latestMs).toISOString();
