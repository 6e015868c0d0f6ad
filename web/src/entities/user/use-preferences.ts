import type { getPreferences } from '@atrium/proto-events/http/preferences';
import { useRead } from '#lib/query/use-read.ts';

export function usePreferences() {
  return useRead<typeof getPreferences>('GET /users/profile/preferences', {});
}
