import type { listSessions } from '@atrium/proto-events/http/auth';
import { useRead } from '#lib/query/use-read.ts';

export function useSessions() {
  return useRead<typeof listSessions>('GET /auth/sessions', { query: { limit: 100 } });
}
