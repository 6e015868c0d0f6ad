import type { CallOf } from '@atrium/proto-events/endpoint';
import type {
  getMeeting,
  getMeetingStats,
  listCalendarMeetings,
  listMeetings,
  listProjectMeetings,
  listUnansweredMeetings,
  listUpcomingMeetings,
} from '@atrium/proto-events/http/meetings/meetings';
import { useEffect, useState } from 'react';
import { useNow, useTimeReached } from '#lib/hooks/use-now.ts';
import { useRead } from '#lib/query/use-read.ts';
import { useRefetch } from '#lib/query/use-refetch.ts';
import { browserTimeZone } from '#lib/time/time-zone.ts';
import { USERS_PER_ITEM } from '../user/user-labels.ts';

export type TimeFilter = 'upcoming' | 'past';

const PAGE_SIZE = 10;

type MeetingPage = {
  timeFilter: TimeFilter;
  page?: number;
  limit?: number;
  /** A project id, or empty for all projects. */
  project: string;
  series?: 'once';
  /** A series id, or empty for all meetings. */
  seriesId?: string;
};

export function useMeetingList({ project, limit = PAGE_SIZE, seriesId, ...page }: MeetingPage) {
  const query = { ...page, limit, people: USERS_PER_ITEM, ...(seriesId && { seriesId }) };
  const allMeetings = useRead<typeof listMeetings>('GET /meetings', project ? null : { query });
  const projectMeetings = useRead<typeof listProjectMeetings>(
    'GET /meetings/project/:id',
    project ? { params: { id: project }, query } : null,
  );
  return project ? projectMeetings : allMeetings;
}

export function useUpcomingMeetings(limit: number) {
  return useRead<typeof listUpcomingMeetings>('GET /meetings/upcoming', {
    query: { limit, people: USERS_PER_ITEM, series: 'once' },
  });
}

/** Meetings that the user organizes, and that some participants have not responded to. */
export function useUnansweredMeetings() {
  return useRead<typeof listUnansweredMeetings>('GET /meetings/unanswered', { query: { limit: 10 } });
}

/** Counts all meetings or those of one project; "today" is in the browser's time zone. */
export function useMeetingStats(project: string) {
  return useRead<typeof getMeetingStats>('GET /meetings/stats', { query: { timezone: browserTimeZone(), project } });
}

const useMeetingById = (id: string | null, query?: CallOf<typeof getMeeting>['query']) =>
  useRead<typeof getMeeting>('GET /meetings/:id', id === null ? null : { params: { id }, ...(query && { query }) }, {
    keepPreviousData: false,
  });

export const useMeeting = (id: string | null) => useMeetingById(id);

export const useReplacementMeeting = (id: string | null) => useMeetingById(id, { orNext: 'true' });

export function useCalendarMeetings(query: CallOf<typeof listCalendarMeetings>['query'] | null) {
  return useRead<typeof listCalendarMeetings>('GET /meetings/calendar', query && { query }, {
    keepPreviousData: false,
  });
}

type Ending = { endTime: string; isPast: boolean };

/** Spreads the requests of all clients that show the same meeting. */
const SPREAD_MS = 1_000;

/** No event reports the end of a meeting. Retries every minute in case the server's clock is behind. */
export function useRefetchOnMeetingEnd(meetings: readonly Ending[] | undefined): void {
  const [delayMs] = useState(() => Math.random() * SPREAD_MS);
  const refetch = useRefetch();
  const endTimes = (meetings ?? []).filter(({ isPast }) => !isPast).map(({ endTime }) => Date.parse(endTime));
  const nextEnd = endTimes.length > 0 ? Math.min(...endTimes) + delayMs : undefined;
  const hasEnded = useTimeReached(nextEnd);
  const minute = useNow();
  const refetchKey = hasEnded ? `${nextEnd} ${minute}` : undefined;
  useEffect(() => {
    if (refetchKey !== undefined) refetch('/meetings');
  }, [refetchKey, refetch]);
}
