import type { getUserStats } from '@atrium/proto-events/http/users';
import { useRead } from '../../lib/cache/use-read.ts';

/** How many people there are, for the dashboard's figure. */
export function useTeamSize() {
  return useRead<typeof getUserStats>('GET /users/stats/overview', {});
}
