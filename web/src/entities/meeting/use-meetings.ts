import type { CallOf } from '@atrium/proto-events/endpoint';
import type {
  getMeeting,
  getMeetingStats,
  listCalendarMeetings,
  listMeetings,
  listProjectMeetings,
  listUpcomingMeetings,
} from '@atrium/proto-events/http/meetings';
import { useRead } from '../../lib/query/use-read.ts';
import { browserTimeZone } from '../../lib/time-zone.ts';
import { PEOPLE_OF_EACH } from '../user/person.ts';

export type TimeFilter = 'upcoming' | 'past';

const PAGE_SIZE = 10;

type MeetingPage = {
  timeFilter: TimeFilter;
  page?: number;
  limit?: number;
  /** An id, or empty for the meetings of all. */
  project: string;
  /** `once`: of each series the first meeting alone. */
  series?: 'once';
  /** An id, or empty for the meetings of all series. */
  seriesId?: string;
};

export function useMeetingList({ project, limit = PAGE_SIZE, seriesId, ...page }: MeetingPage) {
  const query = { ...page, limit, people: PEOPLE_OF_EACH, ...(seriesId && { seriesId }) };
  const all = useRead<typeof listMeetings>('GET /meetings', project ? null : { query });
  const ofProject = useRead<typeof listProjectMeetings>(
    'GET /meetings/project/:id',
    project ? { params: { id: project }, query } : null,
  );
  return project ? ofProject : all;
}

/** The next meetings of the signed-in user, each series once. */
export function useUpcomingMeetings(limit: number) {
  return useRead<typeof listUpcomingMeetings>('GET /meetings/upcoming', {
    query: { limit, people: PEOPLE_OF_EACH, series: 'once' },
  });
}

/** Of all meetings or of a project; today by the clock of this browser, as the lists beside it. */
export function useMeetingStats(project: string) {
  return useRead<typeof getMeetingStats>('GET /meetings/stats', { query: { timezone: browserTimeZone(), project } });
}

const useOne = (id: string | null, query?: CallOf<typeof getMeeting>['query']) =>
  useRead<typeof getMeeting>('GET /meetings/:id', id === null ? null : { params: { id }, ...(query && { query }) }, {
    keepPreviousData: false,
  });

/** The meeting as it is now; `null` waits. */
export const useMeeting = (id: string | null) => useOne(id);

/** What is left of the series that a cancelled date was of; `null` waits. */
export const useMeetingInstead = (id: string | null) => useOne(id, { orNext: 'true' });

/** The meetings of a range as a calendar draws them, in one answer, and never those of another range; `null` waits. */
export function useCalendarMeetings(query: CallOf<typeof listCalendarMeetings>['query'] | null) {
  return useRead<typeof listCalendarMeetings>('GET /meetings/calendar', query && { query }, {
    keepPreviousData: false,
  });
}
