import type { getClosing, listOpenDecisions } from '@atrium/proto-events/http/after-meeting/closing';
import { useRead } from '../../lib/query/use-read.ts';

/** How a meeting was closed, and what became of its decisions. */
export function useClosing(meetingId: string) {
  return useRead<typeof getClosing>(
    'GET /meetings/:id/closing',
    { params: { id: meetingId } },
    { keepPreviousData: false },
  );
}

/** Decisions that are not done, of all meetings that this person sees, or of a project's; `null` waits. */
export function useOpenDecisions(query: { project?: string; page: number; limit: number } | null) {
  return useRead<typeof listOpenDecisions>('GET /meetings/decisions', query && { query });
}
