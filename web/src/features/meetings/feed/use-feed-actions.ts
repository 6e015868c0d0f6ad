import type { createFeed, deleteFeed } from '@atrium/proto-events/http/meeting-feed';
import { API_PREFIX, call } from '../../../lib/api/api.ts';
import { useRefresh } from '../../../realtime/use-refresh.ts';

/** The addresses of a new feed: both mean the same, and programs differ in which one they take. */
export type FeedAddresses = { https: string; webcal: string };

export function useFeedActions() {
  const refresh = useRefresh();
  return {
    /** Ends the one of before. The secret is in no answer but this one. */
    make: async (): Promise<FeedAddresses> => {
      const { token } = await call<typeof createFeed>('POST /meetings/feed', {});
      refresh('/meetings/feed');
      const https = `${window.location.origin}${API_PREFIX}/meetings/feed/${token}.ics`;
      return { https, webcal: https.replace(/^https?:/, 'webcal:') };
    },
    end: async (): Promise<void> => {
      await call<typeof deleteFeed>('DELETE /meetings/feed', {});
      refresh('/meetings/feed');
    },
  };
}
