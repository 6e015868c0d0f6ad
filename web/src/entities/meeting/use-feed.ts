import type { getFeed } from '@atrium/proto-events/http/meeting-feed';
import { useRead } from '../../lib/cache/use-read.ts';

/** Whether calendar programs can subscribe to the signed-in person's meetings. */
export function useFeed() {
  return useRead<typeof getFeed>('GET /meetings/feed', {});
}
