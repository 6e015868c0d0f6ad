import type { getPreferences } from '@atrium/proto-events/http/preferences';
import { useRead } from '../../lib/query/use-read.ts';

/** The signed-in person's own preferences. */
export function usePreferences() {
  return useRead<typeof getPreferences>('GET /users/profile/preferences', {});
}
