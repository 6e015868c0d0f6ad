import type { listScheduled, MAX_SCHEDULED } from '@atrium/proto-events/http/chat/scheduled';
import { useRead } from '#lib/query/use-read.ts';

/** All of them fit on one page. */
const LIMIT: typeof MAX_SCHEDULED = 100;

export const useScheduled = () => useRead<typeof listScheduled>('GET /chat/scheduled', { query: { limit: LIMIT } });
