import type { getClosing, listOpenDecisions } from '@atrium/proto-events/http/meeting-closing';
import { useRead } from '#lib/query/use-read.ts';

/** How a meeting was closed, and the state of its decisions. */
export function useClosing(meetingId: string) {
  return useRead<typeof getClosing>(
    'GET /meetings/:id/closing',
    { params: { id: meetingId } },
    { keepPreviousData: false },
  );
}

/** Unresolved decisions of the user's meetings or of a project; `null` skips the request. */
export function useOpenDecisions(query: { project?: string; page: number; limit: number } | null) {
  return useRead<typeof listOpenDecisions>('GET /meetings/decisions', query && { query });
}
