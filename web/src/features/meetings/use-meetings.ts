import type { CallOf } from '@atrium/proto-events/endpoint';
import type { Meeting } from '@atrium/proto-events/http/meeting-fields';
import type {
  createMeeting,
  deleteMeeting,
  getMeeting,
  getMeetingStats,
  listMeetings,
  listProjectMeetings,
  respondToMeeting,
  updateMeeting,
} from '@atrium/proto-events/http/meetings';
import useSWR from 'swr';
import { call, read } from '../../lib/api/api.ts';
import type { ApiError } from '../../lib/api/api-error.ts';
import { keyOf } from '../../lib/cache/keys.ts';
import { useRead } from '../../lib/cache/use-read.ts';
import { underKey } from '../../lib/use-repeatable.ts';
import { useRefresh } from '../../realtime/use-refresh.ts';
import { useShow } from '../../realtime/use-show.ts';

export type TimeFilter = 'upcoming' | 'past';
export type Scope = 'this' | 'following' | 'all';
export type Answer = 'accepted' | 'declined' | 'tentative';

const PAGE_SIZE = 10;
const MOST = 100;
/** A month of more than a thousand meetings marks its days as far as that. */
const MOST_PAGES = 10;

type MeetingPage = {
  timeFilter: TimeFilter;
  page: number /** An id, or empty for the meetings of all. */;
  project: string;
};

export function useMeetingList({ project, ...page }: MeetingPage) {
  const query = { ...page, limit: PAGE_SIZE };
  const all = useRead<typeof listMeetings>('GET /meetings', project ? null : { query });
  const ofProject = useRead<typeof listProjectMeetings>(
    'GET /meetings/project/:id',
    project ? { params: { id: project }, query } : null,
  );
  return project ? ofProject : all;
}

export function useMeetingStats() {
  return useRead<typeof getMeetingStats>('GET /meetings/stats', {});
}

/** The meeting as it is now; `null` waits. */
export function useMeeting(id: string | null) {
  return useRead<typeof getMeeting>('GET /meetings/:id', id === null ? null : { params: { id } }, {
    keepPreviousData: false,
  });
}

/** The meetings of a range in full; `null` waits. */
export function useMeetingsBetween(range: { from: string; to: string } | null) {
  const key = range && rangeKey(range, 1);
  return useSWR<Meeting[], ApiError>(key, () => (range ? readRange(range) : []), { keepPreviousData: false });
}

const rangeKey = (range: { from: string; to: string }, page: number) =>
  keyOf<typeof listMeetings>('GET /meetings', { query: { ...range, page, limit: MOST } });

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

/** The writes; each shows what it has saved, and makes every list of meetings ask again. */
export function useMeetingActions() {
  const refresh = useRefresh();
  const show = useShow<Meeting>('meeting');
  return {
    create: async (body: CallOf<typeof createMeeting>['body'], idempotencyKey: string) => {
      await call<typeof createMeeting>('POST /meetings', { body }, underKey(idempotencyKey));
      refresh('/meetings');
    },
    update: async (id: string, body: CallOf<typeof updateMeeting>['body'], scope: Scope = 'this') => {
      show.saved(await call<typeof updateMeeting>('PATCH /meetings/:id', { params: { id }, query: { scope }, body }));
      refresh('/meetings');
    },
    remove: async (meeting: Meeting, scope: Scope) => {
      await call<typeof deleteMeeting>('DELETE /meetings/:id', { params: { id: meeting._id }, query: { scope } });
      show.gone((other) => isOfScope(other, meeting, scope));
      refresh('/meetings');
    },
    /** Answers for the time on the screen; one that changed meanwhile is refused, and the lists show the new one. */
    respond: async ({ _id: id, startTime }: Meeting, status: Answer, scope: Scope) => {
      const input = { params: { id }, query: { scope }, body: { status, startTime } };
      try {
        show.saved(await call<typeof respondToMeeting>('POST /meetings/:id/respond', input));
      } finally {
        refresh('/meetings');
      }
    },
  };
}

/** Whether a meeting is one of those that a change of another is for. Past ones never change. */
function isOfScope(meeting: Meeting, changed: Meeting, scope: Scope): boolean {
  if (meeting._id === changed._id) return true;
  if (scope === 'this' || changed.seriesId === null || meeting.seriesId !== changed.seriesId) return false;
  return !meeting.isPast && (scope === 'all' || meeting.startTime > changed.startTime);
}
