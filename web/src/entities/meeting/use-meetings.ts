import type { CallOf } from '@atrium/proto-events/endpoint';
import type { Meeting } from '@atrium/proto-events/http/meeting-fields';
import type {
  getMeeting,
  getMeetingStats,
  listCalendarMeetings,
  listMeetings,
  listProjectMeetings,
  listUpcomingMeetings,
} from '@atrium/proto-events/http/meetings';
import useSWR from 'swr';
import { read } from '../../lib/api/api.ts';
import type { ApiError } from '../../lib/api/api-error.ts';
import { keyOf } from '../../lib/cache/keys.ts';
import { useRead } from '../../lib/cache/use-read.ts';
import { browserTimeZone } from '../../lib/time-zone.ts';
import { PEOPLE_OF_EACH } from '../person/person.ts';

export type TimeFilter = 'upcoming' | 'past';

const PAGE_SIZE = 10;
const MOST = 100;
/** A month of more than a thousand meetings marks its days as far as that. */
const MOST_PAGES = 10;

type MeetingPage = {
  timeFilter: TimeFilter;
  page?: number;
  limit?: number;
  /** An id, or empty for the meetings of all. */
  project: string;
};

export function useMeetingList({ project, limit = PAGE_SIZE, ...page }: MeetingPage) {
  const query = { ...page, limit, people: PEOPLE_OF_EACH };
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

/** Today by the clock of this browser, as the lists beside it. */
export function useMeetingStats() {
  return useRead<typeof getMeetingStats>('GET /meetings/stats', { query: { timezone: browserTimeZone() } });
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

/** The meetings of a range in full; `null` waits. */
export function useMeetingsBetween(range: { from: string; to: string } | null) {
  const key = range && rangeKey(range, 1);
  return useSWR<Meeting[], ApiError>(key, () => (range ? readRange(range) : []), { keepPreviousData: false });
}

const rangeKey = (range: { from: string; to: string }, page: number) =>
  keyOf<typeof listMeetings>('GET /meetings', { query: { ...range, page, limit: MOST, people: PEOPLE_OF_EACH } });

async function readRange(range: { from: string; to: string }): Promise<Meeting[]> {
  const found: Meeting[] = [];
  for (let page = 1; page <= MOST_PAGES; page += 1) {
    // The type of the answer is the contract's, which the service has parsed it by.
    const answer = (await read(rangeKey(range, page))) as { data: Meeting[]; totalPages: number };
    found.push(...answer.data);
    if (page >= answer.totalPages) break;
  }
  return found;
}
