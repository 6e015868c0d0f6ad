import type { listSessions } from '@atrium/proto-events/http/auth';
import { useRead } from '../../lib/query/use-read.ts';

/** Where the signed-in person is signed in. */
export function useSessions() {
  return useRead<typeof listSessions>('GET /auth/sessions', { query: { limit: 100 } });
}
