import type { getClosing, listOpenDecisions } from '@atrium/proto-events/http/meetings/closing';
import { useRead } from '#lib/query/use-read.ts';

export function useClosing(meetingId: string) {
  return useRead<typeof getClosing>(
    'GET /meetings/:id/closing',
    { params: { id: meetingId } },
    { keepPreviousData: false },
  );
}

export function useOpenDecisions(query: { project?: string; page: number; limit: number } | null) {
  return useRead<typeof listOpenDecisions>('GET /meetings/decisions', query && { query });
}
