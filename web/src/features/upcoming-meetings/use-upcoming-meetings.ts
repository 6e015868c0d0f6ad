import type { listUpcomingMeetings } from '@atrium/proto-events/http/meetings';
import { useRead } from '../../lib/cache/use-read.ts';

const SHOWN = 5;

export function useUpcomingMeetings() {
  return useRead<typeof listUpcomingMeetings>('GET /meetings/upcoming', { query: { limit: SHOWN } });
}
